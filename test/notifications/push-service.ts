import { createECDH } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import ece from 'http_ece';
import { generate } from 'selfsigned';

interface Push {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
}

/** A push service and a browser that share nothing with the product: messages are decrypted by http_ece. */
export async function startPushService() {
  const pems = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  const pushes: Push[] = [];
  let reply: Reply = { status: 201 };
  const server = createServer({ key: pems.private, cert: pems.cert }, async (request, response) => {
    pushes.push({ path: request.url ?? '', headers: request.headers, body: await buffer(request) });
    response.writeHead(reply.status, reply.headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  const browser = createECDH('prime256v1');
  const p256dh = browser.generateKeys('base64url');
  const auth = Buffer.alloc(16, 5).toString('base64url');
  return {
    ca: pems.cert,
    host: `127.0.0.1:${address.port}`,
    origin: `https://127.0.0.1:${address.port}`,
    subscription: (path = '/push/x?y=1') =>
      JSON.stringify({ endpoint: `https://127.0.0.1:${address.port}${path}`, keys: { p256dh, auth } }),
    pushes,
    answers(next: Reply) {
      reply = next;
    },
    read: ({ body }: Push): unknown =>
      JSON.parse(
        ece.decrypt(body, { version: 'aes128gcm', privateKey: browser, authSecret: auth }).toString('utf8'),
      ),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
