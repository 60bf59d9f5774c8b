# Optional: Redpen runs from a clone with `npm start`. This image holds the same thing.
FROM node:24-slim

# What the bundled Chromium links against, and a font to draw pages with.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates fonts-dejavu-core libnss3 \
  && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image's own Node is 24 already, so the one that the project brings along stays out.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node && npm cache clean --force
COPY src ./src
COPY tools ./tools
# The guides that /docs shows.
COPY docs ./docs

RUN mkdir --mode=700 /data && chown node:node /data
# As an ordinary user, Chromium has its sandbox where the container may make user namespaces: `docker run --security-opt
# seccomp=<profile that allows them>`. Otherwise no page is opened, unless REDPEN_BROWSER_SANDBOX=off is set.
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 REDPEN_DATA_DIR=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --start-period=60s --interval=15s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/main.ts"]
