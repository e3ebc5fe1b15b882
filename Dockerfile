# The command in an image, from the packed tarball:
#   npm pack && docker build --tag conformance .
#   docker run --rm --network host --volume "$PWD:/work" conformance --base-url http://127.0.0.1:8090
FROM node:24-slim
COPY record-auth-conformance-*.tgz /tmp/
RUN npm install --global --no-audit --no-fund /tmp/record-auth-conformance-*.tgz && rm /tmp/record-auth-conformance-*.tgz
USER node
WORKDIR /work
ENTRYPOINT ["conformance"]
