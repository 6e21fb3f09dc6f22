import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import {
  createProviders,
  loadAdapters,
  type Providers,
} from '../../src/domains/notifications/providers/index.js';
import { freePort } from '../../src/local/free-port.js';
import { startMailServer } from './mail-server.js';
import { neverAborted, type SandboxTrial, silent, someMessage, tryWithSandbox } from './with-sandbox.js';

let trial: SandboxTrial;
let server: Awaited<ReturnType<typeof startMailServer>>;
let providers: Providers;

beforeAll(async () => {
  [trial, server] = await Promise.all([tryWithSandbox(), startMailServer()]);
});
beforeEach(async () => {
  await trial.reset();
  server.reset();
  await mailBy();
});
afterEach(() => providers.close());
afterAll(() => Promise.all([trial.close(), server.close()]));

/** Mail by SendGrid's stand-in and by a real SMTP server. */
async function mailBy(own: Record<string, string> = {}): Promise<void> {
  const { providers: config } = readConfig({
    ...trial.sandbox.environment,
    DATABASE_URL: 'postgres://localhost/none',
    REDIS_URL: 'redis://localhost',
    AUTH_SECRET: 'a secret that nothing here checks',
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    SMTP_FROM: 'news@tidings.example',
    EMAIL_PROVIDERS: 'sendgrid,smtp',
    ...own,
  });
  const { clock, sandbox } = trial;
  const deps = { clock, logger: silent, callbackBaseUrl: 'http://127.0.0.1:9', ca: sandbox.ca };
  providers = createProviders(config, await loadAdapters(config), deps);
}
const send = (signal = neverAborted()) =>
  providers.email!.send(
    someMessage({ address: 'alice@example.com', content: { subject: 'Hi', body: 'Hello' } }),
    signal,
  );
const arrived = async () => ({
  bySendGrid: (await trial.received('?channel=email')).length,
  bySmtp: server.mails.length,
});

describe('mail with a second provider', () => {
  it('goes by the first while that works', async () => {
    expect(await send()).toMatchObject({ kind: 'accepted', by: 'sendgrid' });
    expect(await arrived()).toEqual({ bySendGrid: 1, bySmtp: 0 });
  });

  it.each([
    [503, 'PROVIDER_DOWN'],
    [429, 'RATE_LIMITED'],
    [401, 'CREDENTIALS_REFUSED'],
  ])('goes by the second where the first answers %s', async (status, code) => {
    await trial.misbehave({ channel: 'email', status });
    expect(await send()).toMatchObject({
      kind: 'delivered',
      by: 'smtp',
      askedBefore: [{ provider: 'sendgrid', code }],
    });
    expect(await arrived()).toEqual({ bySendGrid: 0, bySmtp: 1 });
  });

  it('goes by the second where nobody listens at the first', async () => {
    await providers.close();
    await mailBy({ SENDGRID_URL: `https://127.0.0.1:${await freePort()}` });
    for (let i = 0; i < 15; i++) expect(await send()).toMatchObject({ kind: 'delivered', by: 'smtp' });
    expect(server.mails).toHaveLength(15);
    // The first has a breaker of its own, which is open by now; the channel goes on.
    expect(await send()).toMatchObject({ askedBefore: [{ provider: 'sendgrid', code: 'PROVIDER_PAUSED' }] });
    expect(providers.email!.pausedUntil!()).toBeNull();
  });

  it.each([
    ['answers 500', { status: 500 }],
    ['answers 504', { status: 504 }],
    ['takes the mail and cuts the connection', { drop: true }],
    ['refuses the mail', { status: 400 }],
  ])('goes by nobody else where the first %s', async (_what, fault) => {
    await trial.misbehave({ channel: 'email', ...fault });
    expect(await send()).toMatchObject({ kind: 'failed', by: 'sendgrid' });
    expect(server.reached).toEqual([]);
  });

  it('goes by nobody else where the first takes the mail and does not answer in time', async () => {
    await trial.misbehave({ channel: 'email', hang: true });
    const aborted = new AbortController();
    const outcome = send(aborted.signal);
    await expect.poll(async () => (await arrived()).bySendGrid).toBe(1);
    aborted.abort();
    expect(await outcome).toMatchObject({ code: 'PROVIDER_TIMEOUT', outcomeUnknown: true, by: 'sendgrid' });
    expect(server.reached).toEqual([]);
  });

  it.each([
    ['is closing down', { reply: '421 closing' }, 1],
    ['cuts the connection with the mail on its way', 'cut', 0],
  ] as const)(
    'goes back to SendGrid from SMTP, which %s, unless it may have the mail',
    async (_, trouble, count) => {
      await providers.close();
      await mailBy({ EMAIL_PROVIDERS: 'smtp,sendgrid' });
      server.makeTrouble('onData', trouble);
      await send();
      expect(await arrived()).toEqual({ bySendGrid: count, bySmtp: 0 });
    },
  );

  it('is paused only while both are', async () => {
    await trial.misbehave({ channel: 'email', status: 429, retryAfter: 20 });
    await send();
    expect(providers.email!.pausedUntil!()).toBeNull();
    for (const step of ['onMailFrom'] as const) server.makeTrouble(step, { reply: '421 closing' });
    for (let i = 0; i < 12; i++) await send();
    expect(providers.email!.pausedUntil!()).toBeGreaterThan(trial.clock.now());
    expect(await send()).toMatchObject({ code: 'PROVIDER_PAUSED' });
  });
});
