node_modules/.bin/petstore-mock serve --port 4100 --log silent &
server=$!
curl --silent --fail --retry 30 --retry-delay 1 --retry-connrefused http://127.0.0.1:4100/_mock/health
npm test
kill $server
