import type { FastifyRequest } from 'fastify';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** What GraphQL answers of the edge's own are sent as: plain JSON, unless the client asks for GraphQL's own type. */
export const mediaTypeFor = ({ headers }: FastifyRequest): string =>
  headers.accept?.includes('application/graphql-response+json')
    ? 'application/graphql-response+json; charset=utf-8'
    : JSON_TYPE;
