import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import { GraphiQL } from 'graphiql';
import { createClient } from 'graphql-ws';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const url = new URL('/graphql', location.href);
const socketUrl = new URL(url);
socketUrl.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';

/** Subscriptions go over a socket of their own, opened with the headers of the editor; the rest over HTTP. */
async function fetcher(params, options) {
  const headers = options?.headers ?? {};
  if (isSubscription(params, options?.documentAST)) return subscribe(params, headers);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(params),
  });
  return response.json();
}

function subscribe(params, headers) {
  const client = createClient({ url: socketUrl.href, connectionParams: headers, retryAttempts: 0 });
  return client.iterate(params);
}

function isSubscription({ operationName }, document) {
  const operations = document?.definitions.filter(({ kind }) => kind === 'OperationDefinition') ?? [];
  const chosen = operations.find(({ name }) => name?.value === operationName) ?? operations[0];
  return chosen?.operation === 'subscription';
}

createRoot(document.getElementById('graphiql')).render(
  createElement(GraphiQL, {
    fetcher,
    defaultHeaders: '{\n  // "authorization": "Bearer TOKEN"\n}',
    defaultEditorToolsVisibility: 'headers',
    shouldPersistHeaders: true,
  }),
);
