# The image of all programs:
#   docker build -t azimuth:0.1.0 .
# Two images, so that the programs without nodes have neither iptables nor the driver:
#   docker build --target programs -t azimuth:0.1.0 .
#   docker build -t azimuth-node:0.1.0 .
# For several processors: docker buildx build --platform linux/amd64,linux/arm64 …
# Built on the machine's own processor; only the driver has code of another one.
# Name a digest for a build that can be repeated: --build-arg BASE_IMAGE=node:24-slim@sha256:…
ARG BASE_IMAGE=node:24-slim
FROM --platform=$BUILDPLATFORM $BASE_IMAGE AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run bundle && rm dist/image/*.map

FROM build AS driver
ARG TARGETARCH
RUN npm run build:kv -- dist/driver/kv --arch "$TARGETARCH"

# Operator, identity controller, secret endpoint and page.
FROM $BASE_IMAGE AS programs
COPY --from=build /src/dist/image/ /azimuth/
USER 65532:65532
ENV NODE_ENV=production
ENTRYPOINT ["node", "/azimuth/azimuth.mjs"]

# The same, and what the programs on nodes need: the node daemon redirects the metadata requests of pods, and
# `azimuth flexvolume install` puts the driver on nodes.
FROM programs AS node
USER 0:0
RUN apt-get update \
 && apt-get install -y --no-install-recommends conntrack iproute2 iptables \
 && rm -rf /var/lib/apt/lists/*
COPY --from=driver /src/dist/driver/ /azimuth/
USER 65532:65532
ENV KV_SOURCE=/azimuth/kv
