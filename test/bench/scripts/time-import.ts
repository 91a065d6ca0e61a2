// Prints how long the import of a module takes in this process, in milliseconds.
const [url = ''] = process.argv.slice(2)
const start = performance.now()
await import(url)
console.log(performance.now() - start)
