import json
import os
from urllib.request import Request, urlopen

URL = os.environ["PETSTORE_MOCK_URL"]
HEADERS = {
    "Authorization": "Bearer " + os.environ["PETSTORE_MOCK_API_KEY"],
    "Content-Type": "application/json",
}


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(URL + path, data, HEADERS, method=method)) as response:
        return json.load(response)


print(call("PATCH", "/inventory/1", {"quantity": 20}))
print(len(call("GET", "/inventory")), "pets")
