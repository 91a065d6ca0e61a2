// As it has to be for packages that are ES modules, with Node's --experimental-vm-modules.
export default {
  rootDir: import.meta.dirname,
  testMatch: ['<rootDir>/*.spec.js'],
  transform: {},
}
