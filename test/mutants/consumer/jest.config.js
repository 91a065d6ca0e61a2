export default { testMatch: ['**/*.spec.js'], transform: {} }
