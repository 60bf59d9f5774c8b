# Optional: Redpen runs from a clone with `npm start`. This image holds the same thing, for x64 and arm64:
#   docker build --build-arg COMMIT="$(git rev-parse HEAD)" --tag redpen .
#   docker run --read-only --tmpfs /tmp --volume redpen:/data --publish 127.0.0.1:8080:8080 --env REDPEN_BROWSER_SANDBOX=off redpen
# The first stage builds the console, with packages that the service does not need. What it makes suits every processor,
# so it runs on that of the machine.
FROM --platform=$BUILDPLATFORM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/package.json
COPY packages/elements/package.json packages/elements/package.json
COPY packages/console/package.json packages/console/package.json
RUN npm ci --omit=dev --workspace packages/console
COPY packages ./packages
COPY src ./src
RUN node packages/build.ts

FROM node:24.21.0-bookworm-slim

# What the bundled Chromium links against, or Chromium itself for processors that it is not built for; fonts of the
# world's scripts and emoji, without which a page shows boxes in their place on screenshots (150 MB, two thirds of them
# Chinese, Japanese and Korean), and where to find them; and an init, which waits for processes of Chromium that have
# lost their parent.
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    ca-certificates fontconfig-config fonts-dejavu-core fonts-noto-cjk fonts-noto-color-emoji fonts-noto-core \
    libexpat1 libnss3 tini \
    $([ "$(dpkg --print-architecture)" = amd64 ] || echo chromium) \
  && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY tools/prune-packages.mjs tools/unpack-chromium.mjs tools/
# The image's own Node is 24 already, so the one that the project brings along stays out.
RUN npm ci --omit=dev --workspaces=false && rm -rf node_modules/node-linux-* node_modules/.bin/node && npm cache clean --force \
  && node tools/prune-packages.mjs && node tools/unpack-chromium.mjs /opt/chromium
COPY bootstrap.mjs ./
COPY src ./src
COPY tools ./tools
# What jobs of GitLab run in the image.
COPY integrations ./integrations
COPY LICENSE NOTICE ./
# What /docs shows as guides.
COPY README.md ./
COPY docs ./docs
COPY packages/client/README.md packages/client/README.md
# `redpen review` calls the service with it.
COPY packages/client/src packages/client/src
COPY --from=build /app/packages/dist ./packages/dist
COPY --chmod=755 tools/redpen /usr/local/bin/redpen
# The young generation of V8 is as small as `npm start` makes it.
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=16
# The modules of the service in a few files, and what Node compiles of them at a start, without which starts and commands
# take three times as long. It fits the options of V8 above. Node closes its files to all but their owner, who is root in
# the end, so that no process of a container changes them.
RUN node tools/build-bundle.ts && install -d -o node node_modules/.cache/node \
  && setpriv --reuid=node --regid=node --clear-groups node tools/fill-compile-cache.mjs \
  && chown -R root node_modules/.cache/node && chmod -R a+rX node_modules/.cache/node
# What /health and --version say of it; the clone that the image is made from is not in it.
ARG COMMIT=""
RUN printf '%s\n' "$COMMIT" > .commit

RUN mkdir --mode=700 /data && chown node:node /data
# As an ordinary user, Chromium has its sandbox where the container may make user namespaces: `docker run --security-opt
# seccomp=<profile that allows them>`. Otherwise no page is opened, unless REDPEN_BROWSER_SANDBOX=off is set.
USER node
ENV NODE_COMPILE_CACHE=/app/node_modules/.cache/node
# The root may be read-only: everything that is written goes to /data or /tmp.
ENV XDG_CACHE_HOME=/tmp/cache npm_config_cache=/tmp/npm
# Fewer arenas of the C library keep less free memory.
ENV MALLOC_ARENA_MAX=2
ENV DO_NOT_TRACK=1 HOST=0.0.0.0 PORT=8080 REDPEN_DATA_DIR=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --start-period=60s --interval=15s --timeout=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "src/main.ts"]
