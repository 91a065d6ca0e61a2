export default {
  server: {
    proxy: {
      '/v1': 'http://127.0.0.1:4100',
      '/_mock': { target: 'http://127.0.0.1:4100', changeOrigin: false },
    },
  },
}
