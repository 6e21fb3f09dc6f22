import { createServer } from 'node:net';
import { simpleParser } from 'mailparser';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Provider, ProviderMessage } from '../../src/domains/notifications/providers/provider.js';
import { createSmtp, needsTls } from '../../src/domains/notifications/providers/smtp/adapter.js';
import { startMailServer } from './mail-server.js';
import { HeldClock, neverAborted, silent, someMessage } from './with-sandbox.js';

const from = 'news@tidings.example';
let server: Awaited<ReturnType<typeof startMailServer>>;
let clock: HeldClock;
let provider: Provider;

const smtpTo = (url: string, ca?: string) =>
  createSmtp({ url, from }, { clock, logger: silent, ...(ca && { ca }) });

beforeAll(async () => {
  server = await startMailServer();
});
beforeEach(() => {
  server.reset();
  clock = new HeldClock();
  provider = smtpTo(`smtp://127.0.0.1:${server.port}`);
});
afterEach(() => provider.close());
afterAll(() => server.close());

const mailTo = (own: Partial<ProviderMessage> = {}) =>
  someMessage({
    address: 'alice@example.com',
    content: { subject: 'Grüße', body: 'Plain ü', htmlBody: '<p>Rich <b>ü</b></p>' },
    ...own,
  });
const send = (own: Partial<ProviderMessage> = {}, signal = neverAborted()) =>
  provider.send(mailTo(own), signal);

describe('a mail', () => {
  it('arrives as text and as HTML, and names its notification', async () => {
    const message = mailTo();
    const outcome = await provider.send(message, neverAborted());
    const [{ from: sender, to, mail }] = server.mails as [(typeof server.mails)[0]];
    expect({ sender, to }).toEqual({ sender: from, to: ['alice@example.com'] });
    expect(mail.from?.text).toBe(from);
    expect(mail.to).toMatchObject({ text: 'alice@example.com' });
    expect(mail.subject).toBe('Grüße');
    expect(mail.text).toBe('Plain ü');
    expect(mail.html).toBe('<p>Rich <b>ü</b></p>');
    expect(mail.headers.get('x-notification-id')).toBe(message.notificationId);
    expect(mail.date?.getTime()).toBe(Math.floor(clock.now() / 1000) * 1000);
    expect(outcome).toEqual({ kind: 'delivered', providerId: mail.messageId });
  });

  it('has the same Message-ID when it is repeated, and another for another delivery', async () => {
    await send({ deliveryId: 'one' });
    await send({ deliveryId: 'one' });
    await send({ deliveryId: 'two' });
    expect(server.mails.map(({ mail }) => mail.messageId)).toEqual([
      '<one@tidings.example>',
      '<one@tidings.example>',
      '<two@tidings.example>',
    ]);
  });

  it('is unsubscribed from by one click, where there is a link for it', async () => {
    const url = `https://api.example.com/t/unsubscribe?nid=${'n'.repeat(100)}&s=${'a'.repeat(64)}`;
    await send({ unsubscribeUrl: url });
    await send();
    const [withLink, without] = server.mails.map(({ raw }) => unfolded(raw));
    expect(withLink).toContain(`List-Unsubscribe: <${url}>\r\n`);
    expect(withLink).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
    expect(without).toContain(`List-Unsubscribe: <mailto:${from}?subject=unsubscribe>\r\n`);
    expect(without).not.toContain('List-Unsubscribe-Post');
  });

  it('has lines that every server takes (RFC 5322), whatever its texts and ids are', async () => {
    const long = 'x'.repeat(5_000);
    const texts = [long, '注'.repeat(3_000), `${'words '.repeat(900)}end`, `"${long}"`, '=?utf-8?Q?x?='];
    for (const subject of texts) {
      server.reset();
      const notificationId = '注'.repeat(64);
      const message = mailTo({
        notificationId,
        unsubscribeUrl: `https://api.example.com/t/unsubscribe?nid=${encodeURIComponent(notificationId)}&s=x`,
        content: { subject, body: `${long}\n${long}`, htmlBody: `<p>${long}</p>` },
      });
      expect(await provider.send(message, neverAborted())).toMatchObject({ kind: 'delivered' });
      const [{ raw, mail }] = server.mails as [(typeof server.mails)[0]];
      expect(raw).toMatch(/^[\r\n\t\x20-\x7e]*$/);
      expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
      expect(mail.subject).toBe(subject);
      const id = String(mail.headers.get('x-notification-id'));
      expect((await simpleParser(`Subject: ${id}\r\n\r\n`)).subject).toBe(notificationId);
      expect(mail.text?.trimEnd()).toBe(`${long}\n${long}`);
    }
  });

  it('has no HTML where the template has none, and a title for a subject', async () => {
    await send({ content: { title: 'T', body: 'B' } });
    expect(server.mails[0]?.mail).toMatchObject({ html: false, subject: 'T', text: 'B\n' });
  });

  it('carries nothing that its content names: no file, no address', async () => {
    await send({ content: { body: 'B', htmlBody: '<img src="/etc/passwd"><img src="file:///etc/passwd">' } });
    expect(server.mails[0]?.mail.attachments).toEqual([]);
    expect(server.mails[0]?.raw).not.toContain('root:');
  });

  it('goes over a connection that stays open', async () => {
    for (let call = 0; call < 150; call += 1) await send();
    expect(server.mails).toHaveLength(150);
    expect(new Set(server.mails.map(({ session }) => session)).size).toBe(1);
  });

  it('goes beside others over few connections', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => send()));
    expect(outcomes.filter(({ kind }) => kind !== 'delivered')).toEqual([]);
    expect(new Set(server.mails.map(({ session }) => session)).size).toBeLessThanOrEqual(16);
  });
});

describe('nobody writes headers or recipients', () => {
  it('through the subject', async () => {
    await send({ content: { subject: 'Hi\r\nBcc: eve@example.com\r\n\r\nbody', body: 'B' } });
    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]?.to).toEqual(['alice@example.com']);
    expect(server.mails[0]?.mail.headers.has('bcc')).toBe(false);
    expect(server.mails[0]?.mail.text).toBe('B\n');
    expect(server.mails[0]?.mail.subject).toContain('Bcc: eve@example.com');
  });

  it('through the notification’s id or the delivery’s', async () => {
    await send({ notificationId: 'n\r\nBcc: eve@example.com', deliveryId: 'd\r\nBcc: eve@example.com' });
    expect(server.mails[0]?.to).toEqual(['alice@example.com']);
    expect(server.mails[0]?.mail.headers.has('bcc')).toBe(false);
  });

  it.each([
    'alice@example.com, eve@example.com',
    'alice@example.com\r\nRCPT TO:<eve@example.com>',
    'alice@example.com\nBcc: eve@example.com',
    '<alice@example.com> NOTIFY=NEVER',
    'Eve <eve@example.com>',
    '"a b"@example.com',
    'group:alice@example.com;',
    'alice',
    'alice@',
    '@example.com',
    '',
  ])('through the address %j', async (address) => {
    expect(await send({ address })).toMatchObject({
      code: 'INVALID_ADDRESS',
      removeToken: true,
      retryable: false,
      outcomeUnknown: false,
    });
    expect(server.reached).toEqual([]);
  });
});

describe('what a server refuses', () => {
  it.each([
    ['onRcptTo', '550 no such user', { code: 'INVALID_ADDRESS', removeToken: true, status: 550 }],
    ['onRcptTo', '450 greylisted', { code: 'REJECTED', retryable: true, status: 450 }],
    ['onRcptTo', '421 closing', { code: 'PROVIDER_DOWN', retryable: true, status: 421 }],
    ['onMailFrom', '550 not from here', { code: 'REJECTED', removeToken: false }],
    ['onData', '554 spam', { code: 'REJECTED', retryable: false, status: 554 }],
    ['onData', '552 mailbox full', { code: 'REJECTED', retryable: false }],
    ['onData', '552 5.3.4 too large', { code: 'PAYLOAD_TOO_LARGE', retryable: false }],
    ['onData', '451 later', { code: 'REJECTED', retryable: true }],
  ] as const)('%s: %s surely had no effect', async (step, reply, expected) => {
    server.makeTrouble(step, { reply });
    expect(await send()).toMatchObject({ kind: 'failed', outcomeUnknown: false, ...expected });
    expect(server.mails).toEqual([]);
    server.reset();
    expect(await send()).toMatchObject({ kind: 'delivered' });
  });
});

describe('a mail without an answer', () => {
  it('may have been taken when it was sent whole', async () => {
    server.makeTrouble('onData', 'cut');
    expect(await send()).toMatchObject({ code: 'PROVIDER_DOWN', retryable: true, outcomeUnknown: true });
  });

  it('was surely not taken when the connection was lost before', async () => {
    server.makeTrouble('onRcptTo', 'cut');
    expect(await send()).toMatchObject({ code: 'PROVIDER_DOWN', retryable: true, outcomeUnknown: false });
  });

  it('goes over another connection where the open one was lost in between', async () => {
    await send();
    server.cutAll();
    expect(await send()).toMatchObject({ kind: 'delivered' });
    expect(server.mails).toHaveLength(2);
  });

  it.each([
    ['onData', true],
    ['onRcptTo', false],
  ] as const)('that is given up at %s may have been taken: %s', async (step, outcomeUnknown) => {
    server.makeTrouble(step, 'hang');
    const caller = new AbortController();
    const outcome = send({}, caller.signal);
    await vi.waitFor(() => expect(server.reached).toContain(step), 15_000);
    caller.abort();
    expect(await outcome).toMatchObject({ code: 'PROVIDER_TIMEOUT', retryable: true, outcomeUnknown });
    server.reset();
    expect(await send()).toMatchObject({ kind: 'delivered' });
  });

  it('was not sent where nobody waited for it, or nobody listens', async () => {
    expect(await send({}, AbortSignal.abort())).toMatchObject({
      code: 'PROVIDER_TIMEOUT',
      outcomeUnknown: false,
    });
    await provider.close();
    provider = smtpTo(`smtp://127.0.0.1:${await closedPort()}`);
    expect(await send()).toMatchObject({ code: 'PROVIDER_DOWN', retryable: true, outcomeUnknown: false });
    expect(server.reached).toEqual([]);
  });
});

describe('a server that asks for a password', () => {
  it('gets it over TLS alone, from a certificate that is trusted', async () => {
    const secure = await startMailServer({ tls: true, login: 'secret' });
    const at = `127.0.0.1:${secure.port}`;
    const tries = {
      right: smtpTo(`smtps://tidings:secret@${at}`, secure.ca),
      wrong: smtpTo(`smtps://tidings:guess@${at}`, secure.ca),
      untrusted: smtpTo(`smtps://tidings:secret@${at}`),
    };
    expect(await tries.right.send(mailTo(), neverAborted())).toMatchObject({ kind: 'delivered' });
    expect(await tries.wrong.send(mailTo(), neverAborted())).toMatchObject({
      code: 'CREDENTIALS_REFUSED',
      retryable: false,
      status: 535,
    });
    expect(await tries.untrusted.send(mailTo(), neverAborted())).toMatchObject({
      code: 'PROVIDER_DOWN',
      outcomeUnknown: false,
    });
    await Promise.all(Object.values(tries).map((one) => one.close()));
    await secure.close();
  });
});

describe.each([
  ['smtp://user:secret@mail.example:587', true],
  ['smtp://user:secret@127.0.0.1.example', true],
  ['smtp://user:secret@10.0.0.1', true],
  ['smtp://user:secret@127.0.0.1:1025', false],
  ['smtp://user:secret@localhost', false],
  ['smtp://mail.example', false],
  // TLS from the start needs no STARTTLS.
  ['smtps://user:secret@mail.example', false],
])('mail by %s', (url, insists) => {
  it(insists ? 'insists on STARTTLS' : 'does not ask for STARTTLS', () => {
    expect(needsTls(url)).toBe(insists);
  });
});

/** A header is one line again, as its reader sees it. */
const unfolded = (raw: string): string => raw.replace(/\r\n[ \t]+/g, ' ');

/** A port that was free a moment ago and has no listener. */
async function closedPort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
