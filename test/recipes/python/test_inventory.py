import os
from urllib.parse import urljoin

import pytest
import requests

URL = os.environ["PETSTORE_MOCK_URL"]
CONTROL = urljoin(URL, "/_mock")


@pytest.fixture
def client(request):
    """A session with a sandbox of its own, so that tests can run in parallel."""
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {os.environ['PETSTORE_MOCK_API_KEY']}~{request.node.name}"
    yield session
    requests.delete(f"{CONTROL}/sandboxes/{request.node.name}")


def test_an_arrival_is_booked(client):
    client.patch(f"{URL}/inventory/1", json={"quantity": 20}).raise_for_status()
    assert client.get(f"{URL}/inventory").json()[0]["quantity"] == 20


def test_an_outage(client, request):
    fault = {"operation": "listInventory", "status": 503, "times": 1}
    requests.post(f"{CONTROL}/faults", params={"sandbox": request.node.name}, json=fault).raise_for_status()
    assert client.get(f"{URL}/inventory").status_code == 503
    assert client.get(f"{URL}/inventory").json()[0]["quantity"] == 12
