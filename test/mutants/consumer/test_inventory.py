"""Tests of pytest with the server of `petstore-mock exec`: pytest test_inventory.py -k careful"""

import os

import pytest
import requests

URL = os.environ["PETSTORE_MOCK_URL"]


@pytest.fixture
def client():
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {os.environ['PETSTORE_MOCK_API_KEY']}"
    return session


def list_pets(client):
    return {pet["petId"]: pet for pet in client.get(f"{URL}/inventory").json()}


def to_stock(pets):
    return {pet_id: pet["quantity"] for pet_id, pet in pets.items()}


def set_quantity(client, pet_id, quantity):
    return client.patch(f"{URL}/inventory/{pet_id}", json={"quantity": quantity})


class TestCareful:
    """Notices every defect, and bears whatever the contract allows."""

    def test_lists_every_pet(self, client):
        pets = list_pets(client)
        assert len(pets) == 10
        assert pets[1]["quantity"] >= 0

    def test_sets_the_quantity_of_one_pet_and_nothing_else(self, client):
        before = list_pets(client)
        quantity = before[2]["quantity"] + 5
        assert set_quantity(client, 2, quantity).json()["quantity"] == quantity
        after = list_pets(client)
        assert after[2]["status"] == before[2]["status"]
        assert to_stock(after) == {**to_stock(before), 2: quantity}

    def test_an_unknown_pet_is_a_404(self, client):
        assert set_quantity(client, 404, 1).status_code == 404

    def test_an_invalid_quantity_is_a_400_and_changes_nothing(self, client):
        before = list_pets(client)
        assert set_quantity(client, 3, "five").status_code == 400
        assert to_stock(list_pets(client)) == to_stock(before)

    def test_a_wrong_key_is_a_401(self, client):
        client.headers["Authorization"] = "Bearer wrong"
        assert client.get(f"{URL}/inventory").status_code == 401
        assert set_quantity(client, 1, 1).status_code == 401


class TestCareless:
    """Passes with most defects, and depends on what the contract leaves open."""

    def test_the_first_pet_is_in_stock(self, client):
        pet = client.get(f"{URL}/inventory").json()[0]
        assert list(pet) == ["petId", "quantity", "status"]
        assert pet["petId"] == 1

    def test_an_update_is_accepted(self, client):
        assert set_quantity(client, 1, 20).json()["petId"] == 1

    def test_an_unknown_pet_is_an_error(self, client):
        assert not set_quantity(client, 404, 1).ok


class TestEmpty:
    """Notices nothing."""

    def test_lists_pets(self, client):
        list_pets(client)


class TestFlaky(TestEmpty):
    """Fails in the run of the number FAILS, which it counts in the file RUNS."""

    def test_fails_by_chance(self):
        with open(os.environ["RUNS"], "a") as runs:
            runs.write(".")
        assert os.path.getsize(os.environ["RUNS"]) != int(os.environ["FAILS"])


class TestRed:
    """Fails on every mock."""

    def test_lists_eleven_pets(self, client):
        assert len(list_pets(client)) == 11
