import { fastify } from 'fastify';
import * as graphql from 'graphql';
import { mercurius } from 'mercurius';
import { path } from '../request.ts';
import { buildPageSchema } from '../schema.ts';
import { openViewers } from '../viewer.ts';
import { servePage } from './page-server.ts';
import { portOf } from './port.ts';

servePage(async () => {
  const viewerOf = await openViewers();
  const app = fastify();
  await app.register(mercurius, {
    schema: buildPageSchema(graphql),
    path,
    jit: 1,
    context: async (request) => ({ viewer: await viewerOf(request.headers.authorization) }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return portOf(app.server);
});
