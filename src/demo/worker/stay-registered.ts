// msw's worker takes its registration back when its last page goes, and the next visit would need the network.
ServiceWorkerRegistration.prototype.unregister = async () => false
