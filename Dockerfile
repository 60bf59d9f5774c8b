# Optional: Redpen runs from a clone with `npm start`. This image holds the same thing:
#   docker build --build-arg COMMIT="$(git rev-parse HEAD)" --tag redpen .
#   docker run --publish 127.0.0.1:8080:8080 --volume redpen:/data --env REDPEN_BROWSER_SANDBOX=off redpen
# The first stage builds the console, with packages that the service does not need.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/package.json
COPY packages/elements/package.json packages/elements/package.json
COPY packages/console/package.json packages/console/package.json
RUN npm ci --omit=dev --workspace packages/console
COPY packages ./packages
COPY src ./src
RUN node packages/build.ts

FROM node:24-slim

# What the bundled Chromium links against; fonts of the world's scripts and emoji, without which a page shows boxes
# in their place on screenshots (150 MB, two thirds of them Chinese, Japanese and Korean); and an init, which waits for
# processes of Chromium that have lost their parent.
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    ca-certificates fonts-dejavu-core fonts-noto-cjk fonts-noto-color-emoji fonts-noto-core libnss3 tini \
  && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY tools/prune-packages.mjs tools/prune-packages.mjs
# The image's own Node is 24 already, so the one that the project brings along stays out.
RUN npm ci --omit=dev --workspaces=false && rm -rf node_modules/node-linux-* node_modules/.bin/node && npm cache clean --force \
  && node tools/prune-packages.mjs
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
# What /health and --version say of it; the clone that the image is made from is not in it.
ARG COMMIT=""
RUN printf '%s\n' "$COMMIT" > .commit

RUN mkdir --mode=700 /data && chown node:node /data
# As an ordinary user, Chromium has its sandbox where the container may make user namespaces: `docker run --security-opt
# seccomp=<profile that allows them>`. Otherwise no page is opened, unless REDPEN_BROWSER_SANDBOX=off is set.
USER node
# The young generation of V8 is as small as `npm start` makes it.
ENV NODE_OPTIONS=--max-semi-space-size=16
ENV NODE_ENV=production DO_NOT_TRACK=1 HOST=0.0.0.0 PORT=8080 REDPEN_DATA_DIR=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --start-period=60s --interval=15s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "src/main.ts"]
