# The server of the packed file: npm pack && docker build -t petstore-mock .
FROM node:24-slim
WORKDIR /mock
COPY petstore-mock-*.tgz ./
RUN npm install --no-audit --no-fund ./petstore-mock-*.tgz && rm petstore-mock-*.tgz
USER node
ENV PETSTORE_MOCK_HOST=0.0.0.0 PETSTORE_MOCK_PORT=4100
EXPOSE 4100
# Without a token, the control API is off. This path is always answered, and not recorded.
HEALTHCHECK --interval=2s --timeout=2s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PETSTORE_MOCK_PORT}/robots.txt`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "node_modules/petstore-mock/dist/bin.js"]
CMD ["serve"]
