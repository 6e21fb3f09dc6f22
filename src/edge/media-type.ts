import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

export const JSON_TYPE = 'application/json; charset=utf-8';
const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8';

/** Clients are many, and what they write here is one of a few texts. */
const KEPT_HEADERS = 500;
const LONGEST_KEPT = 512;
const kept = new LRUCache<string, { readonly type: string | undefined }>({ max: KEPT_HEADERS });

/** What a GraphQL answer may be sent as, by the request's `Accept`; undefined where the client takes neither type. */
export function acceptedType(accept: string | undefined): string | undefined {
  if (!accept) return JSON_TYPE;
  const known = kept.get(accept);
  if (known) return known.type;
  const type = new Negotiator({ headers: { accept } }).mediaType([JSON_TYPE, GRAPHQL_TYPE]);
  if (accept.length <= LONGEST_KEPT) kept.set(accept, { type });
  return type;
}

/** The media type of a refusal: sent whether or not the client accepts it. */
export const mediaTypeFor = ({ headers }: FastifyRequest): string =>
  acceptedType(headers.accept) ?? JSON_TYPE;
