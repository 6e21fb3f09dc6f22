# The image of every process: the command is `api`, `worker` or `migrate`. docs/containers.md says how to run it.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /opt/tidings
# Packages are installed anew only where their lists have changed.
COPY package.json package-lock.json ./
COPY scripts scripts
RUN npm ci --no-audit --no-fund
COPY web/package.json web/package-lock.json web/
RUN npm --prefix web ci --include=dev --no-audit --no-fund
COPY . .
RUN npm run --silent build
# npm keeps what an optional peer needs (Prisma's command line, TypeScript); Prisma brings a compiler for every kind of database.
RUN npm prune --omit=dev --no-audit --no-fund \
  && node --print "Object.entries(require('./package-lock.json').packages).filter(([, { devOptional }]) => devOptional).map(([folder]) => folder).join('\n')" \
    | xargs rm -rf \
  && find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name '*postgresql*' -delete \
  && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' \) -delete \
  && rm -rf node_modules/.cache node_modules/.bin/node
# What a start compiles, for every start of the image, which writes nothing: Node keeps it by user, so as that of the image.
# Each command ends where it would wait for Postgres. What lies there is run, so nobody may write it afterwards.
RUN install --directory --owner=1000 --group=1000 node_modules/.cache/compile \
  && for command in migrate api worker; do \
    DATABASE_URL=postgres://nobody@127.0.0.1:1/none REDIS_URL=redis://127.0.0.1:1 STARTUP_TIMEOUT_MS=0 \
      AUTH_SECRET=only-read-while-the-image-is-built \
      setpriv --reuid=1000 --regid=1000 --clear-groups node dist/main.js "$command" 2>&1 \
      | grep --quiet --extended-regexp '(postgres|redis) cannot be used' || exit 1; \
  done \
  && test -n "$(ls node_modules/.cache/compile)" \
  && chown -R 0:0 node_modules/.cache \
  && chmod -R a+rX node_modules/.cache

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="tidings" org.opencontainers.image.licenses="MIT"
# `--build-arg EXTRA_PACKAGES=ffmpeg` for uploaded videos. tini passes signals on from the first moment, also to `migrate`.
ARG EXTRA_PACKAGES=""
RUN apt-get update -qq \
  && apt-get install -y -qq --no-install-recommends tini ${EXTRA_PACKAGES} \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/apt /var/log/dpkg.log \
  && install --directory --owner=1000 --group=1000 /var/lib/tidings/media
WORKDIR /opt/tidings
COPY package.json ./
COPY rules rules
COPY prisma prisma
COPY docs/limits.md docs/
COPY --from=build /opt/tidings/node_modules node_modules
COPY --from=build /opt/tidings/dist dist
ENV NODE_ENV=production HOST=0.0.0.0 METRICS_HOST=0.0.0.0 MEDIA_DIR=/var/lib/tidings/media
# The api, its metrics and readiness, the worker's.
EXPOSE 4000 5000 4001
# A number: Kubernetes cannot see that a name is not root's.
USER 1000:1000
ENTRYPOINT ["/usr/bin/tini", "--", "node", "dist/main.js"]
CMD ["api"]
