import type { LoadRequest } from './load.ts';

/** What a client library sends besides, or in the place of, what a plain request has. */
export interface ClientManners {
  readonly headers?: Readonly<Record<string, string>>;
  /** Members of the body. */
  readonly body?: object;
  /** Whether the body names no operation. */
  readonly isUnnamed?: boolean;
}

/** Client libraries as they ask by default, in browsers; Relay leaves the request to its user: this is its own guide's. */
export const clients = {
  'apollo-client': {
    headers: {
      accept: 'application/graphql-response+json,application/json;q=0.9',
      'apollographql-client-name': 'web',
      'apollographql-client-version': '1.0.0',
    },
    body: { extensions: { clientLibrary: { name: '@apollo/client', version: '4.3.0' } } },
  },
  urql: {
    headers: {
      accept:
        'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
    },
    body: { extensions: {} },
  },
  'graphql-request': { headers: { accept: 'application/graphql-response+json, application/json' } },
  relay: { headers: { accept: '*/*' }, isUnnamed: true },
} as const satisfies Readonly<Record<string, ClientManners>>;

/** A plain request as a client library sends it. */
export function asClient(plain: LoadRequest, { headers, body, isUnnamed }: ClientManners): LoadRequest {
  const { operationName, ...members } = JSON.parse(plain.body) as Readonly<Record<string, unknown>>;
  return {
    path: plain.path,
    headers: { ...plain.headers, ...headers },
    body: JSON.stringify({ ...members, ...(!isUnnamed && { operationName }), ...body }),
  };
}
