import { createClient, type SubscribePayload } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { signToken } from '../../../src/platform/auth/auth.js';
import { SECRET, startToy, type Toy } from '../toy-edge.js';

const HELLO = 'query Hello($name: String) { hello(name: $name) }';
const documents = new Map([
  ['hello-1', HELLO],
  ['count-1', 'subscription Count { count(to: 2) }'],
]);

let open: Toy;
let closed: Toy;
let admin: string;
beforeAll(async () => {
  open = await startToy({ persistedDocuments: { documents, only: false } });
  closed = await startToy({ persistedDocuments: { documents, only: true } });
  admin = await signToken(SECRET, { userId: 'root', roles: ['admin'], plan: 'free', expiresInSeconds: 60 });
});
afterAll(() => Promise.all([open, closed].map(({ edge }) => edge.close())));

async function post(toy: Toy, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${toy.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as Answer) };
}

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

async function get(toy: Toy, search: Record<string, string>) {
  const headers = { 'apollo-require-preflight': 'yes' };
  const response = await fetch(`${toy.url}/graphql?${new URLSearchParams(search)}`, { headers });
  return { status: response.status, ...((await response.json()) as Answer) };
}

/** @returns all answers of one operation of a socket; a refusal rejects with its errors */
async function bySocket(toy: Toy, payload: SubscribePayload & { readonly documentId?: string }) {
  const client = createClient({ url: toy.socketUrl, webSocketImpl: WebSocket, retryAttempts: 0 });
  try {
    const answers: unknown[] = [];
    for await (const { data } of client.iterate(payload)) answers.push(data);
    return answers;
  } finally {
    await client.dispose();
  }
}

const codes = ({ errors = [] }: Answer) => errors.map(({ extensions }) => extensions.code);
const greeting = { hello: 'Hello Ada' };
const variables = { name: 'Ada' };

describe('a persisted document', () => {
  it('is named by documentId, with or without the name of its hash, or as Apollo Client and urql name it', async () => {
    for (const by of [
      { documentId: 'hello-1' },
      { documentId: 'sha256:hello-1' },
      { documentId: 'hello-1', query: '' },
      { documentId: 'hello-1', operationName: 'Hello' },
      { extensions: { persistedQuery: { version: 1, sha256Hash: 'hello-1' } } },
      { extensions: { persistedQuery: { version: 1, sha256Hash: 'sha256:hello-1' } } },
    ])
      expect(await post(open, { ...by, variables })).toMatchObject({ status: 200, data: greeting });
  });

  it('is answered to GET, and in the media types that only Apollo chooses', async () => {
    const search = { documentId: 'hello-1', variables: JSON.stringify(variables) };
    expect(await get(open, search)).toMatchObject({ status: 200, data: greeting });
    const accept = 'application/graphql-response+json;q=0.9, text/html;q=0.1';
    expect(await post(open, { documentId: 'hello-1', variables }, { accept })).toMatchObject({
      data: greeting,
    });
  });

  it('runs on a socket, where its query is the empty string', async () => {
    expect(await bySocket(open, { query: '', documentId: 'count-1' })).toHaveLength(2);
    const extensions = { persistedQuery: { sha256Hash: 'hello-1' } };
    expect(await bySocket(open, { query: '', extensions, variables })).toEqual([greeting]);
  });

  it('is counted by its id and its operation, however it was named; refusals are counted by their reason', async () => {
    const toy = await startToy({ persistedDocuments: { documents, only: true } });
    const counted = async (name: string) => (await toy.metrics.getSingleMetric(name)?.get())?.values ?? [];
    await post(toy, { documentId: 'hello-1' });
    await post(toy, { query: HELLO });
    await bySocket(toy, { query: '', documentId: 'count-1' });
    expect(await counted('graphql_persisted_documents_total')).toEqual([
      { labels: { document_id: 'hello-1', operation_name: 'Hello' }, value: 2 },
      { labels: { document_id: 'count-1', operation_name: 'Count' }, value: 1 },
    ]);
    for (const documentId of ['made up', 'made up as well']) await post(toy, { documentId });
    await expect(bySocket(toy, { query: '{ viewer }' })).rejects.toBeDefined();
    await post(toy, { query: '{ viewer }' }, { authorization: `Bearer ${admin}` });
    expect(await counted('graphql_persisted_documents_total')).toHaveLength(2);
    expect(await counted('graphql_documents_refused_total')).toEqual([
      { labels: { reason: 'unknown_id' }, value: 2 },
      { labels: { reason: 'not_persisted' }, value: 1 },
    ]);
    await toy.edge.close();
  });
});

describe('another document', () => {
  it('is refused by its id where no file has it', async () => {
    const refused = await post(open, { documentId: 'hello-2' });
    expect([refused.status, codes(refused)]).toEqual([400, ['PERSISTED_DOCUMENT_NOT_FOUND']]);
    await expect(bySocket(open, { query: '', documentId: 'hello-2' })).rejects.toMatchObject([
      { extensions: { code: 'PERSISTED_DOCUMENT_NOT_FOUND' } },
    ]);
  });

  it('is taken beside persisted ones', async () => {
    expect(await post(open, { query: '{ viewer }' })).toMatchObject({ status: 200 });
  });

  it('is refused where only persisted ones are taken, on both transports', async () => {
    const refused = await post(closed, { query: '{ viewer }' });
    expect([refused.status, codes(refused)]).toEqual([400, ['PERSISTED_DOCUMENT_REQUIRED']]);
    expect(codes(await get(closed, { query: '{ viewer }' }))).toEqual(['PERSISTED_DOCUMENT_REQUIRED']);
    await expect(bySocket(closed, { query: '{ viewer }' })).rejects.toMatchObject([
      { extensions: { code: 'PERSISTED_DOCUMENT_REQUIRED' } },
    ]);
    expect(await post(closed, { query: HELLO, variables })).toMatchObject({ status: 200, data: greeting });
  });

  it('is taken from admins all the same', async () => {
    const headers = { authorization: `Bearer ${admin}` };
    expect(await post(closed, { query: '{ viewer }' }, headers)).toMatchObject({ data: { viewer: 'root' } });
  });
});
