# Generates a Postman collection from the OpenAPI document, with the tests of this configuration or of Portman's own, and
# runs it.
[ -f "$1" ] || set -- node_modules/@apideck/portman/portman-config.default.json
PORTMAN_BEARER_TOKEN=$PETSTORE_MOCK_API_KEY exec portman --local node_modules/petstore-mock/spec/openapi-3.0.yaml \
  --baseUrl "$PETSTORE_MOCK_URL" --filterFile operations.json --portmanConfigFile "$1" --runNewman
