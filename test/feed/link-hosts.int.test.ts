import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createLinkPreviews } from '../../src/domains/feed/links/index.js';
import { startNameServer } from './dns-stub.js';
import { callerOf, type FeedWorld, openFeedWorld, silent } from './feed-world.js';

let world: FeedWorld;
let server: http.Server;
let names: Awaited<ReturnType<typeof startNameServer>>;
let host: string;
let asked: string[] = [];

beforeAll(async () => {
  server = http.createServer(({ url }, response) => {
    asked.push(url!);
    if (url!.startsWith('/moved')) return response.writeHead(302, { location: '/page' }).end();
    const image = decodeURIComponent(url!.split('?')[1] ?? '');
    response.setHeader('content-type', 'text/html');
    response.end(`<title>Boats</title><meta property="og:image" content="${image}">`);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  [world, names] = await Promise.all([
    openFeedWorld({ config: { linkPreviewHosts: [host] } }),
    startNameServer(),
  ]);
  await world.feed.signIn('ann');
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  server?.close();
  names?.close();
  await world?.close();
});

async function publish(path: string): Promise<string> {
  const content = `http://${host}${path}`;
  const result = await world.feed.publishPost(callerOf('ann'), { content, visibility: 'public' });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.value.postId;
}

/** Previews of hosts that may be asked so often. */
function previewsOf(requests: number) {
  const charged: string[] = [];
  const links = createLinkPreviews({
    postgres: world.postgres,
    config: { linkPreviewHosts: [host], linkPreviewsAMinute: requests },
    nameServers: [names.address],
    quotas: {
      chargeShared: async ({ id, max, windowSeconds }) => {
        charged.push(id);
        return charged.length > max ? windowSeconds * 1_000 : 0;
      },
    },
  });
  const fetch = (postId: string) =>
    links.fetch(postId, { logger: silent, signal: new AbortController().signal });
  const shown = async (postId: string) => (await links.of([postId])).get(postId);
  return { fetch, shown, charged };
}

it.each([
  ['https://public.test/boat.png', 'https://public.test/boat.png'],
  ['https://1.1.1.1/boat.png', 'https://1.1.1.1/boat.png'],
  ['https://mixed.test/boat.png', null],
  ['https://none.test/boat.png', null],
])(
  'a preview shows a picture only where all addresses of its host are public: %s',
  async (image, imageUrl) => {
    const { fetch, shown } = previewsOf(1);
    const postId = await publish(`/page?${encodeURIComponent(image)}`);
    await fetch(postId);
    expect(await shown(postId)).toMatchObject({ title: 'Boats', imageUrl });
  },
);

it('waits for a host that was asked too often, and no attempt is counted', async () => {
  const { fetch, shown, charged } = previewsOf(1);
  const [first, second] = [await publish('/page?one'), await publish('/page?two')];
  await fetch(first);
  await fetch(second);
  expect(asked).toEqual(['/page?one']);
  expect(charged).toEqual(['link-preview:127.0.0.1', 'link-preview:127.0.0.1']);
  expect(await shown(second)).toBeUndefined();
  const { rows } = await world.postgres.query(
    `SELECT state, attempts, due_at BETWEEN now() + interval '50 seconds' AND now() + interval '2 minutes' AS waits
     FROM link_previews WHERE post_id = $1`,
    [second],
  );
  expect(rows).toEqual([{ state: 'waiting', attempts: 0, waits: true }]);
  await world.postgres.query(
    "UPDATE link_previews SET due_at = now() - interval '1 millisecond' WHERE post_id = $1",
    [second],
  );
  const later = previewsOf(1);
  await later.fetch(second);
  expect(await shown(second)).toMatchObject({ title: 'Boats' });
});

it('counts each request of a redirect', async () => {
  const { fetch, shown, charged } = previewsOf(1);
  const postId = await publish('/moved');
  await fetch(postId);
  expect(asked).toEqual(['/moved']);
  expect(charged).toHaveLength(2);
  expect(await shown(postId)).toBeUndefined();
});
