import { createServer } from 'node:http';
import { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import * as graphql from 'graphql';
import { path } from '../request.ts';
import { buildPageSchema, type PageContext } from '../schema.ts';
import { openViewers } from '../viewer.ts';
import { servePage } from './page-server.ts';
import { listenOnFreePort } from './port.ts';

servePage(async () => {
  const viewerOf = await openViewers();
  const apollo = new ApolloServer<PageContext>({ schema: buildPageSchema(graphql) });
  await apollo.start();
  const app = express();
  app.use(
    path,
    express.json(),
    expressMiddleware(apollo, {
      context: async ({ req }) => ({ viewer: await viewerOf(req.headers.authorization) }),
    }),
  );
  return await listenOnFreePort(createServer(app));
});
