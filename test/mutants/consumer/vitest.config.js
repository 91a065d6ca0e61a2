export default { test: { globals: true, include: ['*.spec.js'] } }
