import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config.js';
import { createProviders, loadAdapters } from '../../src/domains/notifications/providers/index.js';
import { readSendGridCallback } from '../../src/domains/notifications/providers/sendgrid/callback.js';
import { readTwilioCallback } from '../../src/domains/notifications/providers/twilio/callback.js';
import { systemClock } from '../../src/platform/clock.js';
import { startSandbox } from '../../src/sandbox/index.js';
import { neverAborted, type SandboxTrial, silent, someMessage, tryWithSandbox } from './with-sandbox.js';

let trial: SandboxTrial;
beforeAll(async () => {
  trial = await tryWithSandbox();
});
beforeEach(() => trial.reset());
afterAll(() => trial.close());

const env = (name: string) => trial.sandbox.environment[name] ?? '';

interface Call {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Listens for callbacks; answers the first `failures` of them with 503. */
async function listen(failures = 0): Promise<{ base: string; calls: Call[]; server: Server }> {
  const calls: Call[] = [];
  let left = failures;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    left -= 1;
    if (left < 0) calls.push({ url: request.url ?? '', headers: request.headers, body });
    response.writeHead(left < 0 ? 204 : 503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { base: `http://127.0.0.1:${address.port}`, calls, server };
}

describe('what became of a message is reported by signed callbacks', () => {
  it.each([0, 2])('by SMS step by step, though the product was away for %i calls', async (failures) => {
    const { base, calls, server } = await listen(failures);
    const message = someMessage({ address: '+15551234567' });
    await trial.providers(trial.config, base).sms.send(message, neverAborted());

    await vi.waitFor(() => expect(calls).toHaveLength(3), 5000);
    server.close();
    const read = calls.map((call) =>
      readTwilioCallback(
        { url: base + call.url, body: Buffer.from(call.body), headers: call.headers },
        { authToken: env('TWILIO_AUTH_TOKEN') },
      ),
    );
    expect(read).toMatchObject(
      ['sent', 'sent', 'delivered'].map((kind) => ({
        ok: true,
        value: [{ kind, deliveryId: message.deliveryId }],
      })),
    );
  });

  it('by SMS with the failure that was asked for', async () => {
    const { base, calls, server } = await listen();
    await trial.misbehave({ channel: 'sms', outcome: 'undelivered' });
    await trial
      .providers(trial.config, base)
      .sms.send(someMessage({ address: '+15551234567' }), neverAborted());
    await vi.waitFor(() => expect(calls).toHaveLength(3), 5000);
    server.close();
    expect(calls.at(-1)?.body).toContain('MessageStatus=undelivered');
    expect(calls.at(-1)?.body).toContain('ErrorCode=30003');
  });

  it.each([undefined, 'bounce'])('by mail: %s', async (outcome) => {
    const { base, calls, server } = await listen();
    trial.sandbox.setApiUrl(base);
    if (outcome) await trial.misbehave({ channel: 'email', outcome });
    const message = someMessage({ address: 'alice@example.com' });
    await trial.providers().email.send(message, neverAborted());
    await vi.waitFor(() => expect(calls).toHaveLength(1), 5000);
    server.close();
    const [call] = calls;
    const config = { webhookPublicKey: env('SENDGRID_WEBHOOK_PUBLIC_KEY') };
    const request = { url: '', body: Buffer.from(call?.body ?? ''), headers: call?.headers ?? {} };
    expect(readSendGridCallback(request, config, trial.clock)).toMatchObject({
      ok: true,
      value: [{ kind: outcome ? 'failed' : 'delivered', deliveryId: message.deliveryId }],
    });
  });
});

describe('the control face', () => {
  it('lists what arrived by channel and address, newest last, without credentials, and forgets on demand', async () => {
    const { email, ios } = trial.providers();
    await email.send(someMessage({ address: 'a@example.com' }), neverAborted());
    await ios.send(someMessage({ address: 'phone' }), neverAborted());
    await email.send(someMessage({ address: 'b@example.com' }), neverAborted());

    expect((await trial.received()).map(({ to }) => to)).toEqual(['a@example.com', 'phone', 'b@example.com']);
    expect((await trial.received('?channel=email')).map(({ to }) => to)).toEqual([
      'a@example.com',
      'b@example.com',
    ]);
    expect(await trial.received('?channel=email&to=b%40example.com')).toHaveLength(1);
    expect(JSON.stringify(await trial.received())).not.toContain('authorization');
    await trial.reset();
    expect(await trial.received()).toEqual([]);
  });

  it('shows a fault as often as it was asked to', async () => {
    await trial.misbehave({ channel: 'push', provider: 'apns', status: 503, times: 2 });
    const { ios, android } = trial.providers();
    const kinds = [];
    for (let call = 0; call < 3; call += 1) kinds.push((await ios.send(someMessage(), neverAborted())).kind);
    expect(kinds).toEqual(['failed', 'failed', 'delivered']);
    expect((await android.send(someMessage(), neverAborted())).kind).toBe('delivered');
  });

  it.each([
    [{ channel: 'fax', status: 503 }, /channel/],
    [{ channel: 'push', status: 200 }, /status/],
    [{ channel: 'push', rate: 2 }, /rate/],
    [{ channel: 'push', sttus: 503 }, /sttus/],
    [{ channel: 'push', status: 503, hang: true }, /only one/],
    [{ channel: 'push', reason: 'x' }, /need a status/],
  ])('refuses a fault that it cannot show, and says why: %j', async (fault, why) => {
    const answer = await trial.misbehave(fault);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: { message: string } }).error.message).toMatch(why);
  });

  it('refuses a body that is no JSON and a filter that does not exist', async () => {
    const { controlUrl } = trial.sandbox;
    const json = { 'content-type': 'application/json' };
    expect((await fetch(`${controlUrl}/behaviour`, { method: 'PUT', headers: json, body: '{' })).status).toBe(
      400,
    );
    expect((await fetch(`${controlUrl}/messages?chanel=sms`)).status).toBe(400);
  });

  it.each([
    ['http://127.0.0.1:4000', true],
    ['http://localhost:4000', true],
    ['http://localhost:4001', false],
    ['https://localhost:4000', false],
    ['http://evil.test:4000', false],
    ['null', false],
  ])('a page of %s may read it where it is the api’s: %s', async (origin, mayRead) => {
    trial.sandbox.setApiUrl('http://127.0.0.1:4000');
    const url = `${trial.sandbox.controlUrl}/behaviour`;
    const answer = await fetch(url, { headers: { origin } });
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT' },
    });
    for (const { headers } of [answer, preflight])
      expect(headers.get('access-control-allow-origin')).toBe(mayRead ? origin : null);
    expect(preflight.headers.get('access-control-allow-methods')?.includes('PUT') ?? false).toBe(mayRead);
  });
});

describe('credentials', () => {
  it('are kept over a restart, readable by their owner alone, and never used when damaged', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tidings-sandbox-'));
    const start = () => startSandbox({ controlPort: 0, host: '127.0.0.1', dataDir, logger: silent });
    const first = await start();
    await first.close();
    const second = await start();
    await second.close();

    for (const name of ['APNS_PRIVATE_KEY', 'FCM_PRIVATE_KEY', 'SENDGRID_API_KEY', 'TWILIO_AUTH_TOKEN']) {
      expect(second.environment[name]).toBe(first.environment[name]);
    }
    const caPath = second.environment.NODE_EXTRA_CA_CERTS ?? '';
    expect(await readFile(caPath, 'utf8')).toBe(first.ca);
    const kept = join(dataDir, 'sandbox', 'credentials.json');
    expect((await stat(kept)).mode & 0o777).toBe(0o600);
    await writeFile(kept, '{');
    await expect(start()).rejects.toThrow(/does not hold sandbox credentials/);
    await rm(dataDir, { recursive: true });
  });
});

describe('after a restart of the providers', () => {
  it('open adapters go on by themselves: another session, another login', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tidings-sandbox-'));
    const start = (providerPort = 0) =>
      startSandbox({ controlPort: 0, providerPort, host: '127.0.0.1', dataDir, logger: silent });
    const first = await start();
    const { providers: config } = readConfig({
      ...first.environment,
      DATABASE_URL: 'postgres://localhost/none',
      REDIS_URL: 'redis://localhost',
      AUTH_SECRET: 'a secret that nothing here checks',
    });
    const deps = { clock: systemClock, callbackBaseUrl: 'http://127.0.0.1:9', logger: silent, ca: first.ca };
    const { ios, android, close } = createProviders(config, await loadAdapters(config), deps);
    const sendBoth = async () => [
      await ios?.send(someMessage(), neverAborted()),
      await android?.send(someMessage(), neverAborted()),
    ];
    expect(await sendBoth()).toMatchObject([{ kind: 'delivered' }, { kind: 'delivered' }]);

    await first.close();
    expect(await sendBoth()).toMatchObject([{ retryable: true }, { retryable: true }]);
    const second = await start(Number(new URL(first.providerUrl).port));
    // The new provider does not know the old access token: refused once, then forgotten.
    expect(await sendBoth()).toMatchObject([
      { kind: 'delivered' },
      { code: 'CREDENTIALS_REFUSED', retryable: true },
    ]);
    expect(await sendBoth()).toMatchObject([{ kind: 'delivered' }, { kind: 'delivered' }]);
    await close();
    await second.close();
    await rm(dataDir, { recursive: true });
  });
});
