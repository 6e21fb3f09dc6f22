import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPost, type PostOptions } from '../../src/domains/notifications/webhooks/post.js';
import { startNameServer } from '../feed/dns-stub.js';
import { startReceiver, type TestReceiver } from './receivers.js';

let receiver: TestReceiver;
let names: Awaited<ReturnType<typeof startNameServer>>;

beforeAll(async () => {
  [receiver, names] = await Promise.all([startReceiver(), startNameServer()]);
});
afterAll(async () => {
  names?.close();
  await receiver?.close();
});

const never = new AbortController().signal;

async function posting(url: string, options: Partial<PostOptions> = {}, signal = never) {
  const { post, close } = createPost({ allowPrivate: true, ...options });
  try {
    return await post(url, { 'webhook-id': 'w' }, '{}', signal);
  } finally {
    close();
  }
}
/** As in production, with the name server of the test. */
const guarded = (url: string) =>
  posting(url, { allowPrivate: false, nameServers: [names.address], connectMs: 300 });

describe('a request to a receiver', () => {
  it('is not made where a name has an address that is not public, whatever it had before', async () => {
    for (const name of ['inside.test', 'mixed.test'])
      expect(await guarded(`https://${name}/`)).toEqual({
        kind: 'none',
        reason: expect.stringMatching(/not public/),
      });
    // Public when it was first looked at: no connection comes about in this test, but one was tried.
    const first = await guarded('https://changing.test/');
    expect(first).toEqual({ kind: 'none', reason: expect.not.stringMatching(/not public/) });
    expect(await guarded('https://changing.test/')).toEqual({
      kind: 'none',
      reason: expect.stringMatching(/not public/),
    });
  });

  it('says the same of a name inside and of one that there is not', async () => {
    for (const name of ['inside.test', 'mixed.test', 'none.test'])
      expect(await guarded(`https://${name}/`)).toEqual({
        kind: 'none',
        reason: `${name} has no address, or one that is not public`,
      });
  });

  it('is not made to a URL that is not allowed any more', async () => {
    receiver.got.length = 0;
    expect(await guarded(receiver.url)).toEqual({ kind: 'none', reason: expect.stringMatching(/not https/) });
    expect(receiver.got).toEqual([]);
  });

  it('follows no redirect', async () => {
    receiver.got.length = 0;
    receiver.answer = (response) => response.writeHead(307, { location: receiver.url }).end();
    expect(await posting(receiver.url)).toEqual({ kind: 'answer', status: 307, body: '' });
    expect(receiver.got).toHaveLength(1);
  });

  it('reads 1 KB of an answer that never ends, and keeps what Postgres can store', async () => {
    receiver.answer = (response) => {
      response.writeHead(200).write('\0ä');
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    };
    const reply = await posting(receiver.url);
    expect(reply).toMatchObject({ kind: 'answer', status: 200 });
    expect(reply.kind === 'answer' && reply.body).toMatch(/^äx{1000,1024}$/);
  });

  it('counts by its status where the rest of the answer does not come', async () => {
    receiver.answer = (response) => void response.writeHead(200).write('half');
    expect(await posting(receiver.url, { answerMs: 300 })).toEqual({
      kind: 'answer',
      status: 200,
      body: 'half',
    });
  });

  it('is given up after its time, and where no connection comes about', async () => {
    receiver.answer = () => undefined;
    expect(await posting(receiver.url, { answerMs: 200 })).toEqual({
      kind: 'none',
      reason: 'no answer in 200 ms',
    });
    // Takes connections, and never says a word of TLS.
    const mute = createTcpServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    expect(await posting(`https://127.0.0.1:${port}/`, { connectMs: 200 })).toEqual({
      kind: 'none',
      reason: 'no connection in 200 ms',
    });
    mute.close();
    expect(await posting(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'none' });
  });

  it('has no outcome where the process ends meanwhile', async () => {
    receiver.answer = () => undefined;
    const stopping = new AbortController();
    const asked = posting(receiver.url, {}, stopping.signal);
    receiver.got.length = 0;
    await expect.poll(() => receiver.got.length).toBe(1);
    stopping.abort(new Error('stopping'));
    await expect(asked).rejects.toThrow('stopping');
  });
});
