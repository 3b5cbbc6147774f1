# npm ci && npm run bundle && docker build -t azimuth:0.1.0 .
FROM node:24-slim
# For the node daemon, which redirects the metadata requests of pods.
RUN apt-get update \
 && apt-get install -y --no-install-recommends conntrack iproute2 iptables \
 && rm -rf /var/lib/apt/lists/*
COPY dist/image/azimuth.mjs /azimuth/azimuth.mjs
USER 65532:65532
ENV NODE_ENV=production
ENTRYPOINT ["node", "--enable-source-maps", "/azimuth/azimuth.mjs"]
