# docker build -t azimuth:0.1.0 .
# docker buildx build --platform linux/amd64,linux/arm64 -t azimuth:0.1.0 .
# Built on the machine's own processor; only the driver has code of another one.
FROM --platform=$BUILDPLATFORM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run bundle && rm dist/image/*.map
ARG TARGETARCH
RUN npm run build:kv -- dist/image/kv --arch "$TARGETARCH"

FROM node:24-slim
# For the node daemon, which redirects the metadata requests of pods.
RUN apt-get update \
 && apt-get install -y --no-install-recommends conntrack iproute2 iptables \
 && rm -rf /var/lib/apt/lists/*
# The programs, and the driver that `azimuth flexvolume install` puts on nodes.
COPY --from=build /src/dist/image/ /azimuth/
USER 65532:65532
ENV NODE_ENV=production KV_SOURCE=/azimuth/kv
ENTRYPOINT ["node", "/azimuth/azimuth.mjs"]
