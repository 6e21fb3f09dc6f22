import { buildSchema } from 'graphql';
import { Registry } from 'prom-client';
import { expect, vi } from 'vitest';
import { createEdge, type Edge } from '../../src/edge/index.js';
import { registerMediaRoutes } from '../../src/http/feed-media.js';
import { createAuthenticator, signToken } from '../../src/platform/auth/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { holdAnswersToDocument } from '../support/documented-answers.js';
import { MAX_VIDEO_SECONDS, type MediaWorld, openMediaWorld, picture, silent } from './media-world.js';

const secret = 'a secret of thirty-two characters';

/** The media routes on a port of their own, on a media world. */
export interface MediaHttp extends MediaWorld {
  readonly url: string;
  /** Of the user ann. */
  readonly token: string;
  /** A PNG of about 60 kB at most. */
  readonly image: Buffer;
  openEdge(times?: Times, media?: MediaWorld['media']): Promise<Edge>;
  /** Waits until neither a row nor a file is left. */
  nothingLeft(): Promise<void>;
}

interface Times {
  readonly silenceMs?: number;
  readonly lingerMs?: number;
}

export async function openMediaHttp(): Promise<MediaHttp> {
  const world = await openMediaWorld({ image: 100_000, video: 200_000 });
  const openEdge: MediaHttp['openEdge'] = (times = {}, media = world.media) =>
    createEdge({
      schema: buildSchema('type Query { nothing: Int }'),
      authenticator: createAuthenticator({ secret }, systemClock),
      createContext: (request) => request,
      logger: silent,
      allowedOrigins: [],
      development: false,
      readiness: {},
      metrics: new Registry(),
      clock: systemClock,
      ids: uuidV7Ids(systemClock),
      async routes(fastify, openRequest) {
        await holdAnswersToDocument(fastify);
        await registerMediaRoutes(fastify, {
          app: {
            feed: { media },
            config: {
              media: { dir: world.dir, maxBytes: world.maxBytes, maxVideoSeconds: MAX_VIDEO_SECONDS },
            },
          },
          openRequest,
          ...times,
        });
      },
    });
  const edge = await openEdge();
  return {
    ...world,
    url: await edge.listen({ host: '127.0.0.1', port: 0 }),
    token: await signToken(secret, { userId: 'ann', roles: [], plan: 'free', expiresInSeconds: 600 }),
    image: await picture(200, 100).png().toBuffer(),
    openEdge,
    nothingLeft: () =>
      vi.waitFor(async () => expect([await world.rows(), await world.files()]).toEqual([0, []]), 15_000),
    async close() {
      await edge.close();
      await world.close();
    },
  };
}

/** Removes every upload. */
export async function removeAll({ postgres, media }: MediaHttp): Promise<void> {
  await postgres.query(`UPDATE media SET state = 'removing', touched_at = now() - interval '1 day'`);
  await media.sweepUnused();
}

export function form(
  bytes: Uint8Array,
  { field = 'file', name = 'x.png', type = 'image/png' } = {},
): FormData {
  const data = new FormData();
  data.append(field, new Blob([Uint8Array.from(bytes)], { type }), name);
  return data;
}
