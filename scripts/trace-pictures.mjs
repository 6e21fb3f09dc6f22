// Draws the pictures of docs/tracing.md from spans that it collects while it publishes a post and sends a notification:
//   OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 OTEL_EXPORTER_OTLP_PROTOCOL=http/json npm start
//   node scripts/trace-pictures.mjs [URL]
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { startCollector } from '../test/support/trace-collector.ts';
import { draw } from './trace-picture.mjs';

const url = process.argv[2] ?? 'http://127.0.0.1:4000';
const collector = await startCollector({ port: 4318 });
const { demoTokens } = await (await fetch(`${url}/web-config.json`, { headers: { origin: url } })).json();
const tokenOf = (userId) => demoTokens.find((one) => one.userId === userId).token;
const [author, follower] = ['alice', 'root'];

async function run(userId, query, variables, traceparent) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${tokenOf(userId)}`,
      ...(traceparent && { traceparent }),
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  const faults = errors ?? Object.values(data).flatMap((payload) => payload?.userErrors ?? []);
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  return data;
}

/** Runs a mutation in a trace of its own, and resolves with its spans once one of this name has come and no more do. */
async function trace(userId, query, variables, lastName) {
  const traceId = randomBytes(16).toString('hex');
  await run(userId, query, variables, `00-${traceId}-${randomBytes(8).toString('hex')}-01`);
  let spans = [];
  for (let before = -1; spans.length > before || !spans.some(({ name }) => name === lastName); ) {
    before = spans.length;
    await pause(6_000);
    spans = collector.spansOf(traceId);
  }
  return spans;
}

const publish =
  'mutation Publish($content: String!) { publishPost(input: { content: $content }) { userErrors { code } } }';
await run(
  follower,
  'mutation Follow($id: ID!) { followUser(input: { userId: $id }) { userErrors { code } } }',
  {
    id: author,
  },
);
const socket = createClient({
  url: `${url.replace('http', 'ws')}/graphql`,
  webSocketImpl: WebSocket,
  connectionParams: { authorization: `Bearer ${tokenOf(follower)}` },
});
let heard = 0;
socket.subscribe(
  { query: 'subscription { feedUpdated { postId } }' },
  { next: () => (heard += 1), error: (error) => Promise.reject(error), complete: () => undefined },
);
// Until it listens there is nothing to hear; and what is done for the first time takes longer.
for (let posts = 0; heard < 3; posts += 1) {
  await run(author, publish, { content: `Testing, ${posts}` });
  await pause(500);
}

const ofPost = await trace(author, publish, { content: 'Traced' }, 'send subscription feedUpdated');
const send = `mutation Send($input: SendNotificationInput!) {
  sendNotification(input: $input) { userErrors { code message } }
}`;
const notification = (notificationId) => ({
  input: {
    notificationId,
    type: 'NEW_MESSAGE',
    priority: 'HIGH',
    templateId: 'new-message.push.en',
    recipients: [
      {
        userId: author,
        channels: ['PUSH'],
        variables: { sender: 'Bob', preview: 'Hello', thread_id: 'c-1' },
      },
    ],
  },
});
for (let sent = 0; sent < 10; sent += 1) {
  await run('shop', send, notification(`warm-${Date.now()}`));
  await pause(500);
}
const ofNotification = await trace('shop', send, notification(`traced-${Date.now()}`), 'record outcome');

const folder = new URL('../docs/pictures/', import.meta.url);
await writeFile(
  new URL('trace-post.svg', folder),
  draw(ofPost, 'A post, from the mutation to a follower’s socket'),
);
await writeFile(
  new URL('trace-notification.svg', folder),
  draw(ofNotification, 'A notification, from the mutation to the provider'),
);
await socket.dispose();
await collector.close();
