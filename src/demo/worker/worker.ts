// The demo's service worker: msw's worker, which passes the page's requests to the mock in the page, after the demo's own
// listeners. The order matters: the first listener that responds to a request wins.
import './own-files.ts'
import 'msw/mockServiceWorker.js'
