set -e
node_modules/.bin/petstore-mock serve --port 4100 --log silent &
trap "kill $!" EXIT
export PETSTORE_MOCK_URL=http://127.0.0.1:4100/v1 PETSTORE_MOCK_API_KEY=demo-key
curl --silent --fail --retry 30 --retry-delay 1 --retry-connrefused http://127.0.0.1:4100/_mock/health
npm test
