import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFcm } from '../../src/domains/notifications/providers/fcm/adapter.js';
import type { Provider } from '../../src/domains/notifications/providers/provider.js';
import { HeldClock, neverAborted, silent, someMessage } from './with-sandbox.js';

const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ format: 'pem', type: 'pkcs8' })
  .toString();
const good = { access_token: 'ya29.good', expires_in: 3599, token_type: 'Bearer' };
const clock = new HeldClock();
let token: { status: number; body: string } = { status: 200, body: JSON.stringify(good) };
let exchanges = 0;
/** The Authorization headers of the messages that came. */
let sent: (string | undefined)[] = [];
let server: Server;
let provider: Provider;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    if (request.url === '/token') {
      exchanges += 1;
      response.writeHead(token.status, { location: '/elsewhere' }).end(token.body);
    } else {
      sent.push(request.headers.authorization);
      response.end(JSON.stringify({ name: 'projects/p/messages/1' }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(async () => {
  await provider?.close();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const url = `http://127.0.0.1:${address.port}`;
  const config = { url, projectId: 'p', clientEmail: 'a@p.example', privateKey, tokenUrl: `${url}/token` };
  provider = createFcm(config, { clock, logger: silent });
  [exchanges, sent] = [0, []];
});
afterAll(async () => {
  await provider.close();
  server.close();
});

const answers = (status: number, body: unknown) => {
  token = { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
};
const send = () => provider.send(someMessage(), neverAborted());

describe('a token endpoint', () => {
  it.each([
    ['a page', 200, '<html>Log in to the network</html>'],
    ['nothing', 200, ''],
    ['half of an answer', 200, '{"access_token":"ya29.go'],
    ['no token', 200, {}],
    ['an empty token', 200, { ...good, access_token: '' }],
    ['a token that cannot stand in a header', 200, { ...good, access_token: 'a\r\nb' }],
    ['a lifetime that is none', 200, { ...good, expires_in: 'soon' }],
    ['a lifetime that is over', 200, { ...good, expires_in: 0 }],
    ['another success', 204, ''],
    ['a redirect', 302, ''],
    ['a timeout of its own', 408, ''],
    ['a failure', 500, ''],
    ['a failure of a proxy', 502, '<html>'],
    ['that it is busy', 400, { error: 'temporarily_unavailable' }],
  ])('that answers %s (%i) is asked again, and no message was sent', async (_name, status, body) => {
    answers(status, body);
    expect(await send()).toMatchObject({
      kind: 'failed',
      code: 'PROVIDER_DOWN',
      retryable: true,
      removeToken: false,
      outcomeUnknown: false,
      status,
    });
    expect(sent).toEqual([]);
    answers(200, good);
    expect(await send()).toMatchObject({ kind: 'delivered' });
    expect({ exchanges, sent }).toEqual({ exchanges: 2, sent: ['Bearer ya29.good'] });
  });

  it.each([
    [400, { error: 'invalid_grant' }],
    [401, { error: 'invalid_client' }],
    [403, '<html>'],
  ])('that refuses (%i) refuses our credentials', async (status, body) => {
    answers(status, body);
    expect(await send()).toMatchObject({ code: 'CREDENTIALS_REFUSED', retryable: false, status });
  });

  it('may leave the lifetime out, or write it as text', async () => {
    for (const expires_in of [undefined, '3599']) {
      answers(200, { ...good, expires_in });
      expect(await send()).toMatchObject({ kind: 'delivered' });
      expect(await send()).toMatchObject({ kind: 'delivered' });
    }
    expect(exchanges).toBe(1);
  });
});
