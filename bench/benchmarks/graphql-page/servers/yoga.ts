import { createServer } from 'node:http';
import * as graphql from 'graphql';
import { createYoga } from 'graphql-yoga';
import { path } from '../request.ts';
import { buildPageSchema, type PageContext } from '../schema.ts';
import { openViewers } from '../viewer.ts';
import { servePage } from './page-server.ts';
import { listenOnFreePort } from './port.ts';

servePage(async () => {
  const viewerOf = await openViewers();
  const yoga = createYoga<Record<string, never>, PageContext>({
    schema: buildPageSchema(graphql),
    graphqlEndpoint: path,
    graphiql: false,
    logging: false,
    context: async ({ request }) => ({ viewer: await viewerOf(request.headers.get('authorization')) }),
  });
  return await listenOnFreePort(createServer(yoga));
});
