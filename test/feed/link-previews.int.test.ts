import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchPage } from '../../src/domains/feed/links/fetch-page.js';
import { turnsOf } from '../../src/domains/feed/links/index.js';
import { firstLinkIn } from '../../src/domains/feed/links/link-in.js';
import { readPage } from '../../src/domains/feed/links/read-page.js';
import { isPublicAddress } from '../../src/platform/network/public-address.js';
import { cpuTimeOf } from '../support/cpu-time.js';
import { callerOf, type FeedWorld, openFeedWorld, silent } from './feed-world.js';

let world: FeedWorld;
let server: http.Server;
let host: string;
let asked: string[] = [];
const forever = new AbortController().signal;

const PAGE = `<!doctype html><html><head><title>Not this</title>
  <meta property="og:title" content="Ferries &amp; boats"><meta property="og:image" content="/boat.png"></head></html>`;
const answers: Record<string, (response: http.ServerResponse) => void> = {
  '/page': (response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE),
  '/moved': (response) => response.writeHead(302, { location: '/page' }).end(),
  '/inside': (response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
  '/named-inside': (response) => response.writeHead(302, { location: 'http://localhost/' }).end(),
  '/file': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/circle': (response) => response.writeHead(302, { location: '/circle' }).end(),
  '/json': (response) => response.setHeader('content-type', 'application/json').end('{}'),
  '/gone': (response) => response.writeHead(404).end(),
  '/broken': (response) => response.writeHead(503).end(),
  '/silent-after-head': (response) => {
    response.setHeader('content-type', 'text/html').write(PAGE.slice(0, -10));
    setImmediate(() => response.write(PAGE.slice(-10).toUpperCase()));
  },
  '/endless': (response) => {
    response.setHeader('content-type', 'text/html').write('<title>Endless</title>');
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  },
};

beforeAll(async () => {
  server = http.createServer((request, response) => {
    asked.push(request.url!);
    answers[request.url!.split('?')[0]!]!(response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  world = await openFeedWorld({ config: { linkPreviewHosts: [host] } });
  await world.feed.signIn('ann');
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await world?.close();
});

const at = (path: string) => `http://${host}${path}`;
const fetched = (path: string, allowed = [host]) => fetchPage(new URL(at(path)), new Set(allowed), forever);

async function publish(content: string): Promise<string> {
  const result = await world.feed.publishPost(callerOf('ann'), { content, visibility: 'public' });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.value.postId;
}
const work = (postId: string) => world.feed.links.fetch(postId, { logger: silent, signal: forever });
const signs = (count: number) =>
  Array.from({ length: count }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('');
const previewOf = async (postId: string) => (await world.feed.links.of([postId])).get(postId);
const states = async (postId: string) =>
  (await world.postgres.query('SELECT state, attempts FROM link_previews WHERE post_id = $1', [postId])).rows;

describe('the link of a post', () => {
  it.each([
    ['see https://example.com/a, and http://b.test', 'https://example.com/a'],
    ['(https://en.wikipedia.org/wiki/Ferry_(boat))', 'https://en.wikipedia.org/wiki/Ferry_(boat)'],
    ['ftp://example.com javascript:alert(1) www.example.com', null],
    ['https://ann:secret@example.com/ https://münchen.test/?q=1#x', 'https://xn--mnchen-3ya.test/?q=1#x'],
    [`https://example.com/${'a'.repeat(2_100)}`, null],
  ])('is the first of %.60j', (text, link) => {
    expect(firstLinkIn(text)).toBe(link);
  });

  it.each([
    ['ends in brackets', `http://${')'.repeat(4_990)}`, null],
    [
      'ends in brackets that open in it',
      `http://a.test/${'('.repeat(900)}${')'.repeat(4_000)}`,
      /\({900}\){900}$/,
    ],
    ['ends in brackets and stops', `http://a.test/${').'.repeat(2_400)}`, /a\.test\/$/],
    ['has a host of thousands of signs', `http://${signs(4_990)}`, null],
    ['has many links that are none', `http://${')'.repeat(40)} `.repeat(100), null],
  ])('costs little to find where it %s', (_, text, link) => {
    let found: string | null = null;
    // Below 1 ms each; counted anew for each bracket, 120 ms.
    const spent = cpuTimeOf(() => {
      for (let times = 0; times < 10; times += 1) found = firstLinkIn(text);
    });
    expect(found).toEqual(link && expect.stringMatching(link));
    expect(spent).toBeLessThan(200);
  });
});

describe('what a server fetches for somebody else', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a00:1',
    '2002:7f00:1::',
    'fec0::1',
    'nonsense',
  ])('is not at %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111'])('may be at %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    'http://127.0.0.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost/',
    'http://1.1.1.1:22/',
    'https://ann:secret@1.1.1.1/',
    'file:///etc/passwd',
  ])('is refused before anybody is asked: %s', async (url) => {
    await expect(fetchPage(new URL(url), new Set(), forever)).rejects.toThrow(/not fetched|not public/);
  });

  it('follows a redirect, and looks at each as at the first', async () => {
    expect((await fetched('/moved')).url.pathname).toBe('/page');
    for (const path of ['/inside', '/named-inside', '/file'])
      await expect(fetched(path)).rejects.toThrow(/not fetched|not public/);
    asked = [];
    await expect(fetched('/circle')).rejects.toThrow(/redirects/);
    expect(asked).toHaveLength(4);
    asked = [];
    await expect(fetched('/page', [])).rejects.toThrow(/not fetched/);
    expect(asked).toEqual([]);
  });

  it('is HTML, and its head alone, 128 KiB at most', async () => {
    await expect(fetched('/json')).rejects.toThrow(/no HTML/);
    const { html } = await fetched('/endless');
    expect(html.length).toBe(128 * 1_024);
    expect((await fetched('/silent-after-head')).html).toContain('boat.png');
  });

  it('is left when the worker stops', async () => {
    await expect(fetchPage(new URL(at('/page')), new Set([host]), AbortSignal.abort())).rejects.toThrow();
  });
});

describe('a page', () => {
  const read = (html: string) => readPage({ html, url: new URL('https://example.com/a/b') }, new Set());

  it('has the title and the picture that it names', () => {
    expect(read(PAGE)).toEqual({ title: 'Ferries & boats', imageUrl: 'https://example.com/boat.png' });
    expect(read('<title>A &lt;b&gt;\n title </title><p>x')).toEqual({ title: 'A <b> title', imageUrl: null });
    expect(read('<!-- <title>No</title> --><script>"<title>No</title>"</script>').title).toBeNull();
  });

  it('has no picture that is not on the web, and no title that cannot be seen', () => {
    for (const url of ['javascript:alert(1)', 'data:image/png;base64,AA', 'https://a:b@example.com/'])
      expect(read(`<meta property="og:image" content="${url}">`).imageUrl).toBeNull();
    expect(read('<title>\u200b\u202e</title>').title).toBeNull();
    expect([...read(`<title>${'é'.repeat(1_000)}</title>`).title!]).toHaveLength(300);
    const marks = `<title>a${'\u0301'.repeat(40_000)}${'\u0316'.repeat(40_000)}</title>`;
    expect(cpuTimeOf(() => read(marks))).toBeLessThan(400);
  });
});

describe('the preview of a post', () => {
  it('is fetched once by a worker, follows edits, and goes with the post', async () => {
    const postId = await publish(`Look: ${at('/page')}!`);
    expect(await world.feed.links.findWaiting()).toEqual([]);
    expect(await previewOf(postId)).toBeUndefined();
    asked = [];
    await Promise.all([work(postId), work(postId), work(postId)]);
    expect(asked).toEqual(['/page']);
    expect(await previewOf(postId)).toEqual({
      url: at('/page'),
      title: 'Ferries & boats',
      imageUrl: at('/boat.png'),
    });
    // Another post with the same link asks nobody.
    const other = await publish(at('/page'));
    await work(other);
    expect(asked).toEqual(['/page']);
    expect((await previewOf(other))?.title).toBe('Ferries & boats');
    await world.feed.editPost(callerOf('ann'), { postId, content: `The same, ${at('/page')}` });
    expect(await previewOf(postId)).toBeDefined();
    await world.feed.editPost(callerOf('ann'), { postId, content: at('/moved') });
    expect(await previewOf(postId)).toBeUndefined();
    await work(postId);
    expect((await previewOf(postId))?.url).toBe(at('/moved'));
    await world.feed.editPost(callerOf('ann'), { postId, content: 'No link any more' });
    expect(await states(postId)).toEqual([]);
    await world.feed.deletePost(callerOf('ann'), other);
    expect(await states(other)).toEqual([]);
  });

  it('is tried three times where the server fails, and once where there is no page', async () => {
    const broken = await publish(at('/broken'));
    const due = () =>
      world.postgres.query(
        "UPDATE link_previews SET due_at = now() - interval '5 seconds' WHERE post_id = $1",
        [broken],
      );
    for (const [attempts, state] of [
      [1, 'waiting'],
      [2, 'waiting'],
      [3, 'none'],
    ] as const) {
      await work(broken);
      await work(broken);
      expect(await states(broken)).toEqual([{ state, attempts }]);
      await due();
      expect(await world.feed.links.findWaiting()).toEqual(
        state === 'waiting' ? [{ postId: broken, turn: 1 }] : [],
      );
    }
    const gone = await publish(at('/gone'));
    await work(gone);
    expect(await states(gone)).toEqual([{ state: 'none', attempts: 1 }]);
    const inside = await publish('http://127.0.0.1/secrets');
    await work(inside);
    expect(await previewOf(inside)).toBeUndefined();
  });

  it('is known for a day where there was one, and for ten minutes where there was none', async () => {
    const settled = async (path: string, age: string) => {
      const before = await publish(at(path));
      await work(before);
      await world.postgres.query(
        'UPDATE link_previews SET fetched_at = now() - $2::interval WHERE url = $1',
        [at(path), age],
      );
      asked = [];
      await work(await publish(at(path)));
      return asked;
    };
    expect(await settled('/json', '9 minutes')).toEqual([]);
    // What was taken over is no younger than what it was taken from.
    expect(await settled('/json', '11 minutes')).toEqual(['/json']);
    expect(await settled('/page?day', '23 hours')).toEqual([]);
    expect(await settled('/page?day', '25 hours')).toEqual(['/page?day']);
  });

  it('waits with twenty of its author at most, and each author has a turn', async () => {
    await world.feed.signIn('ben');
    await world.feed.signIn('eve');
    const by = async (userId: string, content: string) => {
      const result = await world.feed.publishPost(callerOf(userId), { content, visibility: 'public' });
      if (!result.ok) throw new Error(JSON.stringify(result.errors));
      return result.value.postId;
    };
    const many: string[] = [];
    for (let index = 0; index < 22; index += 1) many.push(await by('eve', `${at('/page')}?${index}`));
    const one = await by('ben', at('/page'));
    const turns = await turnsOf(world.postgres, [...many, one]);
    expect(turns).toHaveLength(21);
    expect(turns.filter(({ turn }) => turn === 1).map(({ postId }) => postId)).toEqual(
      expect.arrayContaining([many[0], one]),
    );
    expect(Math.max(...turns.map(({ turn }) => turn))).toBe(20);
    expect(await states(many[20]!)).toEqual([]);
    // Earlier versions noted no author.
    await world.postgres.query('UPDATE link_previews SET author_id = NULL WHERE post_id = $1', [one]);
    expect(await turnsOf(world.postgres, [one])).toEqual([{ postId: one, turn: 1 }]);
    // One that is fetched makes room for another.
    await work(many[0]!);
    await world.feed.editPost(callerOf('eve'), { postId: many[21]!, content: `Again ${at('/page')}` });
    expect(await states(many[21]!)).toEqual([{ state: 'waiting', attempts: 0 }]);
  });
});
