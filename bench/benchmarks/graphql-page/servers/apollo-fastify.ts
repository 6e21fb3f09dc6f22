import { ApolloServer } from '@apollo/server';
import fastifyApollo, { fastifyApolloDrainPlugin } from '@as-integrations/fastify';
import { fastify } from 'fastify';
import * as graphql from 'graphql';
import { path } from '../request.ts';
import { buildPageSchema, type PageContext } from '../schema.ts';
import { openViewers } from '../viewer.ts';
import { servePage } from './page-server.ts';
import { portOf } from './port.ts';

servePage(async () => {
  const viewerOf = await openViewers();
  const app = fastify();
  const apollo = new ApolloServer<PageContext>({
    schema: buildPageSchema(graphql),
    plugins: [fastifyApolloDrainPlugin(app)],
  });
  await apollo.start();
  await app.register(fastifyApollo(apollo), {
    path,
    context: async (request) => ({ viewer: await viewerOf(request.headers.authorization) }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return portOf(app.server);
});
