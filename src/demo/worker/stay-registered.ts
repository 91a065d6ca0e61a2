// msw's worker unregisters itself when its last page closes. The next visit would then need the network.
ServiceWorkerRegistration.prototype.unregister = async () => false
