import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDiskStore } from '../../src/domains/feed/media/store.js';
import { form, type MediaHttp, openMediaHttp, removeAll } from './media-http-world.js';

let http: MediaHttp;
beforeAll(async () => {
  http = await openMediaHttp();
});
afterAll(() => http?.close());

describe('an upload to POST /api/v1/media', () => {
  afterEach(() => removeAll(http));

  const head = (length: number) =>
    `POST /api/v1/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${http.token}\r\nConnection: close\r\n` +
    `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`;
  const opening = '--b\r\nContent-Disposition: form-data; name="file"; filename="x.png"\r\n\r\n';

  const part = expect.stringMatching(/^incoming\/[0-9a-f]{32}\.[0-9a-f-]{36}\.part$/);

  /** A request as its bytes go over the wire, and all that comes back until it closes. */
  function post(length: number) {
    const socket = connect(Number(new URL(http.url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.write(head(length));
    return { socket, answer: once(socket, 'close').then(() => text) };
  }

  it('that breaks off leaves neither a file nor a row', async () => {
    const socket = connect(Number(new URL(http.url).port), '127.0.0.1');
    socket.write(head(90_000) + opening);
    socket.write(Buffer.concat([http.image, Buffer.alloc(40_000)]));
    await vi.waitFor(async () => {
      expect(await http.rows()).toBe(1);
      expect(await http.files()).toEqual([part]);
    }, 15_000);
    socket.destroy();
    await http.nothingLeft();
  });

  it('that goes on with a second file is refused, and the first, which is almost stored, is removed too', async () => {
    const { socket, answer } = post(90_000);
    socket.write(opening);
    socket.write(Buffer.concat([http.image, Buffer.alloc(70_000)]));
    await vi.waitFor(
      async () => expect([await http.rows(), await http.files()]).toEqual([1, [part]]),
      15_000,
    );
    socket.write(`\r\n${opening}x`);
    expect(await answer).toMatch(/^HTTP\/1\.1 400 .*"BAD_USER_INPUT"/s);
    await http.nothingLeft();
  });

  it.each([
    ['before its first part', ''],
    ['in a field before its file', '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n'],
    ['in the name of a part', '--b\r\nX: '],
    [
      'in a field behind its file',
      `${opening}FILE\r\n--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n`,
    ],
    ['behind its end', `${opening}FILE\r\n--b--\r\n`],
  ])('without a length that goes on %s is refused as too large', async (_, begun) => {
    const socket = connect(Number(new URL(http.url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    const send = (bytes: Buffer) =>
      socket.write(
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
      );
    socket.write(head(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked'));
    for (const piece of begun
      .split('FILE')
      .flatMap((text, n) => [...(n ? [http.image] : []), Buffer.from(text)]))
      if (piece.length > 0) send(piece);
    const more = setInterval(() => send(Buffer.alloc(20_000, 'A')), 5);
    await once(socket, 'close');
    clearInterval(more);
    expect(text).toMatch(/^HTTP\/1\.1 413 .*"MEDIA_TOO_LARGE"/s);
    await http.nothingLeft();
  });

  const withoutToken = (length: number) =>
    head(length).replace(/Authorization: .*\r\nConnection: close\r\n/, '');

  it.each<[string, (length: number) => string, number]>([
    ['for its file', head, 415],
    ['without a token', withoutToken, 401],
  ])(
    'that is refused %s while it is being sent gets the answer, and may send the rest',
    async (_, begin, status) => {
      const socket = connect({
        port: Number(new URL(http.url).port),
        host: '127.0.0.1',
        allowHalfOpen: true,
      });
      const failed = vi.fn();
      socket.on('error', failed);
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.write(begin(90_000) + opening + 'x'.repeat(9_000));
      await once(socket, 'end');
      expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      for (let sent = 0; sent < 80_000; sent += 10_000)
        await new Promise((sentOn) => socket.write('x'.repeat(10_000), sentOn));
      socket.end();
      await once(socket, 'close');
      expect(failed).not.toHaveBeenCalled();
      await http.nothingLeft();
    },
  );

  it.each([
    ['for its file', head],
    ['without a token', withoutToken],
  ])('that is refused %s and goes on for long is disconnected', async (_, begin) => {
    const hasty = await http.openEdge({ lingerMs: 100 });
    const { port } = new URL(await hasty.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined).resume();
    socket.write(begin(90_000) + opening + 'x'.repeat(9_000));
    const more = setInterval(() => socket.write('x'), 10);
    await new Promise((closed) => socket.once('close', closed));
    clearInterval(more);
    await hasty.close();
  });

  it('that sends nothing more is given up', async () => {
    const hasty = await http.openEdge({ silenceMs: 300 });
    const { port } = new URL(await hasty.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(head(90_000) + opening);
    socket.write(Buffer.concat([http.image, Buffer.alloc(40_000)]));
    await once(socket.resume(), 'close');
    await http.nothingLeft();
    await hasty.close();
  });

  it('that is complete is answered, however long the store takes', async () => {
    const disk = createDiskStore(http.dir);
    const slow = http.mediaWith({
      async put(...args) {
        await disk.put(...args);
        await pause(1_000);
      },
    });
    const slowEdge = await http.openEdge({ silenceMs: 300 }, slow);
    const at = await slowEdge.listen({ host: '127.0.0.1', port: 0 });
    const headers = { authorization: `Bearer ${http.token}` };
    const answer = fetch(`${at}/api/v1/media`, { method: 'POST', body: form(http.image), headers });
    expect(await answer.then(({ status }) => status)).toBe(201);
    await slowEdge.close();
  });

  it.each([
    ['before its file does', ''],
    ['in the next part', `\r\n--b\r\nContent-Disposition: form-data; na`],
  ])('whose form ends %s is incomplete', async (_, more) => {
    const body = Buffer.concat([Buffer.from(opening), http.image, Buffer.from(more)]);
    const { socket, answer } = post(body.length);
    socket.write(body);
    expect(await answer).toMatch(/^HTTP\/1\.1 400 .*"UPLOAD_INCOMPLETE"/s);
    await http.nothingLeft();
  });
});
