import os
import re
from urllib.parse import urljoin
from uuid import uuid4

import pytest
import requests

URL = os.environ["PETSTORE_MOCK_URL"]
CONTROL = urljoin(URL, "/_mock")


@pytest.fixture
def sandbox(request):
    """The name of the test's own sandbox, so that tests can run in parallel."""
    name = re.sub(r"[^A-Za-z0-9._-]", "-", request.node.name)[:50]
    return f"{name}-{uuid4().hex[:8]}"


@pytest.fixture
def client(sandbox):
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {os.environ['PETSTORE_MOCK_API_KEY']}~{sandbox}"
    yield session
    requests.delete(f"{CONTROL}/sandboxes/{sandbox}")


def read_quantity(client, pet_id):
    """The order of the list may change, so find the pet by its petId."""
    pets = client.get(f"{URL}/inventory").json()
    return next(pet["quantity"] for pet in pets if pet["petId"] == pet_id)


@pytest.mark.parametrize("quantity", [0, 20])
def test_an_arrival_is_booked(client, quantity):
    client.patch(f"{URL}/inventory/1", json={"quantity": quantity}).raise_for_status()
    assert read_quantity(client, 1) == quantity


def test_an_outage(client, sandbox):
    fault = {"operation": "listInventory", "status": 503, "times": 1}
    requests.post(f"{CONTROL}/faults", params={"sandbox": sandbox}, json=fault).raise_for_status()
    assert client.get(f"{URL}/inventory").status_code == 503
    assert read_quantity(client, 1) == 12
