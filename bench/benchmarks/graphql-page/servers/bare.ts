import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { authors, type Post } from '../posts.ts';
import { path } from '../request.ts';
import { pageOf } from '../schema.ts';
import { openViewers, type ViewerOf } from '../viewer.ts';
import { servePage } from './page-server.ts';
import { listenOnFreePort } from './port.ts';

/**
 * The limit: a handler on `node:http` that knows the page by heart. It reads the token and the variables, and writes what they ask
 * for with `JSON.stringify`. It knows no GraphQL, and has no limits, no headers of its own and no metrics.
 */
servePage(async () => {
  const viewerOf = await openViewers();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void answer(viewerOf, request, response, Buffer.concat(chunks).toString()));
  });
  return listenOnFreePort(server);
});

async function answer(
  viewerOf: ViewerOf,
  { url, headers }: IncomingMessage,
  response: ServerResponse,
  body: string,
): Promise<void> {
  if (url !== path) return void response.writeHead(404).end();
  const viewer = await viewerOf(headers.authorization);
  const { variables } = JSON.parse(body) as { variables: { first: number; after: string } };
  const text = JSON.stringify(
    viewer === undefined ? { errors: [{ message: 'sign in first' }], data: null } : { data: feed(variables) },
  );
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function feed(variables: { first: number; after: string }) {
  const { edges, pageInfo } = pageOf(variables);
  return { feed: { edges: edges.map(({ cursor, node }) => ({ cursor, node: shown(node) })), pageInfo } };
}

function shown(post: Post) {
  const { id, postId, content, createdAt, authorId, likeCount, commentCount, shareCount, mediaUrls } = post;
  return {
    id,
    postId,
    content,
    createdAt: createdAt.toISOString(),
    author: authors.get(authorId),
    likeCount,
    commentCount,
    shareCount,
    mediaUrls,
  };
}
