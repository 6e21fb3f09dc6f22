import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './page.css';
import { GraphiQL } from 'graphiql';
import { type ExecutionResult, getOperationAST, OperationTypeNode, parse } from 'graphql';
import { createClient } from 'graphql-ws';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { session } from '../common/session.js';
import { examples } from './examples.js';

const url = new URL('/graphql', location.href);
const socketUrl = new URL(url);
socketUrl.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';

interface Params {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: Record<string, unknown>;
}

/** Subscriptions go over a socket of their own, opened with the headers of the editor; the rest over HTTP. */
async function fetcher(params: Params, options?: { readonly headers?: Record<string, string> }) {
  const headers = options?.headers ?? {};
  if (isSubscription(params)) return subscribe(params, headers);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(params),
  });
  return response.json();
}

function subscribe(params: Params, headers: Record<string, string>): AsyncIterableIterator<ExecutionResult> {
  const client = createClient({ url: socketUrl.href, connectionParams: headers, retryAttempts: 0 });
  return client.iterate(params as never) as AsyncIterableIterator<ExecutionResult>;
}

function isSubscription({ query, operationName }: Params): boolean {
  try {
    return getOperationAST(parse(query), operationName)?.operation === OperationTypeNode.SUBSCRIPTION;
  } catch {
    return false;
  }
}

const signedIn = session();
const defaultHeaders = signedIn
  ? JSON.stringify({ authorization: `Bearer ${signedIn.token}` }, null, 2)
  : '{\n  // "authorization": "Bearer TOKEN"\n}';

createRoot(document.getElementById('root')!).render(
  createElement(GraphiQL, {
    fetcher: fetcher as never,
    defaultHeaders,
    defaultTabs: examples.map(({ query, variables }) => ({
      query,
      headers: defaultHeaders,
      ...(variables && { variables: JSON.stringify(variables, null, 2) }),
    })),
    defaultEditorToolsVisibility: 'headers',
    // A token stays in the tab that it was chosen in.
    shouldPersistHeaders: false,
  }),
);
