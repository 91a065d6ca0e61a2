// The demo's service worker: msw's, which brings the page's requests to the mock in the page, and what goes before
// it. The order counts: of two that listen for a request, the first has it.
import './serve-own-files.ts'
import './stay-registered.ts'
import 'msw/mockServiceWorker.js'
