import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  GIVE_UP_AFTER_MS,
  judge,
  pauseMs,
  type Reply,
} from '../../src/domains/notifications/webhooks/attempt.js';
import { checkFields, faultOfUrl } from '../../src/domains/notifications/webhooks/check.js';
import { eventTypesOf } from '../../src/domains/notifications/webhooks/event-types.js';
import { bodyOf, headersOf } from '../../src/domains/notifications/webhooks/message.js';
import { createSecretKeeper } from '../../src/domains/notifications/webhooks/secrets.js';

const types = eventTypesOf(['OrderPlaced', 'MoneyDeposited']);
const producer = { types, mayFollowLog: false, allowPrivate: false };
const codesOf = (faults: readonly { code: string; path?: readonly string[] }[]) =>
  faults.map(({ code, path }) => `${code} ${path?.join('.')}`);

/** Inside addresses in every form that a URL may have. */
const INSIDE = [
  'https://localhost/hook',
  'https://localhost./hook',
  'https://intranet/hook',
  'https://printer.local/hook',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://0xa9fea9fe/',
  'https://168.63.129.16/',
  'https://100.64.0.1/',
  'https://100.100.100.200/',
  'https://198.18.0.1/',
  'https://192.0.0.8/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://[::ffff:a00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
];

describe('the URL of a webhook', () => {
  it.each(INSIDE)('is not inside: %s', (url) => {
    expect(faultOfUrl(url, false)).toMatch(/not public/);
  });

  it.each([
    ['http://example.com/', /not https/],
    ['ftp://example.com/', /not https/],
    ['https://ann:secret@example.com/', /user name/],
    ['https://ann@example.com/', /user name/],
    ['https://example.com:22/', /port/],
    ['https://example.com:6379/', /port/],
    ['https://example.com/#part', /fragment/],
    ['nonsense', /not a URL/],
    [`https://example.com/${'x'.repeat(2_048)}`, /2048 characters/],
  ])('says no user, no other port and nothing but https: %s', (url, why) => {
    expect(faultOfUrl(url, false)).toMatch(why);
  });

  it.each([
    'https://example.com/hook?of=shop',
    'https://example.com:443/',
    'https://hooks.example.com:8443/',
    'https://1.1.1.1/',
    'https://[2606:4700:4700::1111]/',
  ])('may be any public one: %s', (url) => {
    expect(faultOfUrl(url, false)).toBeNull();
  });

  it('may be inside on a laptop, and then without TLS, too', () => {
    for (const url of ['http://127.0.0.1:4010/webhooks/a', 'https://localhost/'])
      expect(faultOfUrl(url, true)).toBeNull();
    expect(faultOfUrl('http://ann:secret@localhost/', true)).toMatch(/user name/);
    expect(faultOfUrl('file:///etc/passwd', true)).toMatch(/neither/);
  });
});

describe('the types that a webhook names', () => {
  const url = 'https://example.com/';
  it('are known, and the refusal lists those that are', () => {
    const faults = checkFields({ url, eventTypes: ['DELIVERED', 'delivered', 'OrderPlaced'] }, producer);
    expect(codesOf(faults)).toEqual([
      'EVENT_TYPE_UNKNOWN input.eventTypes.1',
      'EVENT_TYPE_UNKNOWN input.eventTypes.2',
    ]);
    expect(faults[0]!.message).toMatch(/CREATED, .*DELIVERED/);
    expect(faults[0]!.message).not.toMatch(/OrderPlaced/);
  });

  it('are of the log for admins alone', () => {
    expect(checkFields({ url, eventTypes: ['OrderPlaced'] }, { ...producer, mayFollowLog: true })).toEqual(
      [],
    );
  });

  it('are 1 to 100, and notification types are names', () => {
    const notificationTypes = ['ORDER_SHIPPED', '', 'x'.repeat(65)];
    expect(codesOf(checkFields({ url, eventTypes: [], notificationTypes }, producer))).toEqual([
      'TOO_MANY_TYPES input.eventTypes',
      'TYPE_INVALID input.notificationTypes.1',
      'TYPE_INVALID input.notificationTypes.2',
    ]);
    expect(codesOf(checkFields({ eventTypes: Array(101).fill('SENT') }, producer))).toEqual([
      'TOO_MANY_TYPES input.eventTypes',
    ]);
  });
});

describe('an attempt', () => {
  const answer = (status: number): Reply => ({ kind: 'answer', status, body: '' });
  const replies = fc.oneof(
    fc.integer({ min: 100, max: 599 }).map(answer),
    fc.constant<Reply>({ kind: 'none', reason: 'ECONNREFUSED' }),
  );

  it('is over with 2xx alone, and with 410 for good; all else is tried again for three days', () => {
    fc.assert(
      fc.property(
        replies,
        fc.nat(60),
        fc.nat(2 * GIVE_UP_AFTER_MS),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (reply, attempts, agoMs, random) => {
          const now = 1e12;
          const outcome = judge(reply, { attempts, failingSince: now - agoMs }, now, random);
          const status = reply.kind === 'answer' ? reply.status : null;
          const isTaken = status !== null && status >= 200 && status < 300;
          const isOver = status === 410 || agoMs >= GIVE_UP_AFTER_MS;
          expect(outcome.kind).toBe(isTaken ? 'taken' : isOver ? 'disable' : 'retry');
          if (outcome.kind !== 'retry') return;
          expect(outcome.delayMs).toBeGreaterThanOrEqual(0);
          expect(outcome.delayMs).toBeLessThan(Math.min(3_600_000, 5_000 * 2 ** attempts));
        },
      ),
    );
  });

  it('says that redirects are not followed', () => {
    expect(judge(answer(302), { attempts: 0, failingSince: 0 }, 0, 0)).toMatchObject({
      error: expect.stringMatching(/302.*not followed/),
    });
  });

  it('leaves a receiver that takes nothing alone for ten minutes at most', () => {
    expect(pauseMs(0, 0.999_999)).toBeLessThan(5_000);
    expect(pauseMs(50, 0.999_999)).toBeLessThan(600_000);
    expect(pauseMs(50, 0.5)).toBe(300_000);
  });
});

describe('a request', () => {
  const keeper = createSecretKeeper('a key of the configuration, long enough');
  const event = {
    deliveryId: '0197f5f0-0000-7000-8000-000000000001',
    eventType: 'DELIVERED',
    data: { notification_id: 'n-1', text: 'Grüße, 世界' },
    happenedAt: new Date('2026-01-31T12:00:00Z'),
  };

  it('is verified by either secret while one replaces the other, as Standard Webhooks has it', () => {
    const [before, after, other] = ['w-1', 'w-1', 'w-1'].map((id) => keeper.make(id).shown);
    const body = bodyOf(event);
    const headers = { ...headersOf(event, body, [after!, before!], new Date()) };
    for (const secret of [before!, after!])
      expect(new Webhook(secret).verify(body, headers)).toEqual({
        type: 'DELIVERED',
        timestamp: '2026-01-31T12:00:00.000Z',
        data: event.data,
      });
    expect(() => new Webhook(other!).verify(body, headers)).toThrow();
    expect(() => new Webhook(after!).verify(`${body} `, headers)).toThrow();
    const old = headersOf(event, body, [after!], new Date(Date.now() - 6 * 60_000));
    expect(() => new Webhook(after!).verify(body, { ...old })).toThrow(/old/);
  });

  it('is signed by a secret that nobody reads without the key, or from another webhook', () => {
    const { shown, stored } = keeper.make('w-1');
    expect(keeper.read('w-1', stored)).toBe(shown);
    expect(shown).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(stored.includes(Buffer.from(shown.slice(6), 'base64'))).toBe(false);
    expect(() => keeper.read('w-2', stored)).toThrow();
    expect(() => createSecretKeeper('another key of the configuration, too').read('w-1', stored)).toThrow();
    expect(keeper.make('w-1').shown).not.toBe(shown);
  });
});
