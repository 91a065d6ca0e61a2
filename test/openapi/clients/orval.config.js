// `document` and `target` are below this file's folder.
export default {
  petstore: {
    input: 'document.yaml',
    output: {
      target: 'generated/orval.ts',
      client: 'fetch',
      baseUrl: { runtime: "process.env['PETSTORE_URL']" },
    },
  },
}
