import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advance } from '../../src/domains/notifications/delivery/advance.js';
import type {
  DeliveryReport,
  LockedDelivery,
  Past,
} from '../../src/domains/notifications/delivery/report-state.js';
import type { DeliveryStatus, LifecycleEvent } from '../../src/domains/notifications/types.js';

const NOW = Date.UTC(2026, 0, 1);

const aDelivery = (status: DeliveryStatus, own: Partial<LockedDelivery> = {}): LockedDelivery => ({
  deliveryId: 'd',
  requestId: 'r',
  notificationId: 'n',
  producer: 'shop',
  userId: 'ann',
  notificationType: 'ORDER_SHIPPED',
  channel: 'email',
  priority: 'medium',
  attempt: 0,
  maxRetries: 5,
  content: { body: 'x' },
  createdAt: new Date(NOW - 60_000),
  expiresAt: null,
  status,
  address: 'ann@example.com',
  isLeased: false,
  isAwaitingAnswer: false,
  queuedAt: new Date(NOW - 60_000),
  ...own,
});
const report = (kind: DeliveryReport['kind'], own: Partial<DeliveryReport> = {}): DeliveryReport => ({
  deliveryId: 'd',
  kind,
  ...own,
});
const CALLED: Past = { calledAt: new Date(NOW - 30_000), providerId: null, engagements: [] };

/** The status and the events that reports lead to. */
function outcomeOf(
  status: DeliveryStatus,
  reports: readonly DeliveryReport[],
  past: Past = CALLED,
  own: Partial<LockedDelivery> = {},
) {
  const { transition } = advance(aDelivery(status, own), past, reports, NOW);
  return { status: transition?.status ?? status, events: transition?.events.map(({ event }) => event) ?? [] };
}
const unchanged = (status: DeliveryStatus) => ({ status, events: [] });

describe('a failure that is reported late, or again', () => {
  const failedOf = (providerId: string) => [report('failed', { providerId, reason: 'undelivered' })];
  const UNCALLED: Past = { calledAt: null, providerId: null, engagements: [] };

  it('ends the message that it is about', () => {
    expect(outcomeOf('SENT', failedOf('SM1'), { ...CALLED, providerId: 'SM1' }).status).toBe('DEAD');
  });
  it('ends the first message, though its call has not been recorded yet', () => {
    expect(outcomeOf('QUEUED', failedOf('SM1'), UNCALLED, { isLeased: true }).status).toBe('DEAD');
  });
  it('waits for the answer of the call that is on its way, though its caller may have been killed', () => {
    for (const isLeased of [true, false]) {
      const { transition, deferred } = advance(
        aDelivery('QUEUED', { isLeased, isAwaitingAnswer: true }),
        CALLED,
        failedOf('SM1'),
        NOW,
      );
      expect([transition, deferred]).toEqual([null, failedOf('SM1')]);
    }
  });
  it('ends a message that the report before it was about', () => {
    const told = [report('sent', { providerId: 'SM2' }), ...failedOf('SM1')];
    expect(outcomeOf('RETRYING', told).status).toBe('SENT');
    expect(outcomeOf('RETRYING', [...told, report('failed', { providerId: 'SM2' })]).status).toBe('DEAD');
  });
  it('does not end a later message of the same delivery', () => {
    expect(outcomeOf('SENT', failedOf('SM1'), { ...CALLED, providerId: 'SM2' })).toEqual(unchanged('SENT'));
    expect(outcomeOf('QUEUED', failedOf('SM1'))).toEqual(unchanged('QUEUED'));
    expect(outcomeOf('RETRYING', failedOf('SM1'))).toEqual(unchanged('RETRYING'));
  });
  it('keeps the recipient’s address to itself', () => {
    const said = report('failed', { reason: 'no mailbox ann@example.com here' });
    const { transition } = advance(aDelivery('SENT'), CALLED, [said], NOW);
    expect(transition?.lastError).toBe('no mailbox [address] here');
  });
});

describe('a provider that reports', () => {
  it.each<[DeliveryStatus, DeliveryReport['kind'], DeliveryStatus, LifecycleEvent[]]>([
    ['RETRYING', 'sent', 'SENT', ['SENT']],
    ['QUEUED', 'sent', 'SENT', ['SENT']],
    ['SENT', 'sent', 'SENT', []],
    ['DELIVERED', 'sent', 'DELIVERED', []],
    ['QUEUED', 'delivered', 'DELIVERED', ['SENT', 'DELIVERED']],
    ['SENT', 'delivered', 'DELIVERED', ['DELIVERED']],
    ['OPENED', 'delivered', 'OPENED', []],
    ['SENT', 'failed', 'DEAD', ['FAILED', 'DLQ']],
    ['DELIVERED', 'failed', 'DELIVERED', []],
    ['CLICKED', 'failed', 'CLICKED', []],
    ['SENT', 'opened', 'OPENED', ['DELIVERED', 'OPENED']],
    ['DELIVERED', 'clicked', 'CLICKED', ['CLICKED']],
    ['OPENED', 'clicked', 'CLICKED', ['CLICKED']],
    ['CLICKED', 'opened', 'CLICKED', ['OPENED']],
    ['DELIVERED', 'dismissed', 'DISMISSED', ['DISMISSED']],
    ['OPENED', 'dismissed', 'OPENED', []],
    ['CLICKED', 'dismissed', 'CLICKED', []],
    ['DISMISSED', 'opened', 'DISMISSED', ['OPENED']],
    ['DISMISSED', 'failed', 'DISMISSED', []],
  ])('moves %s by %s to %s', (from, kind, to, events) => {
    expect(outcomeOf(from, [report(kind)])).toEqual({ status: to, events });
  });

  it.each<DeliveryStatus>(['SCHEDULED', 'SUPPRESSED', 'EXPIRED', 'CANCELLED', 'DEAD'])(
    'moves nothing that is %s',
    (status) => {
      for (const kind of ['sent', 'delivered', 'opened', 'clicked', 'dismissed', 'failed'] as const) {
        expect(outcomeOf(status, [report(kind)])).toEqual(unchanged(status));
      }
    },
  );

  it('does not take the message from the worker that is just sending it, unless it arrived', () => {
    const called = { isLeased: true, isAwaitingAnswer: true };
    const { transition, deferred } = advance(aDelivery('QUEUED', called), CALLED, [report('sent')], NOW);
    expect([transition, deferred]).toEqual([null, [report('sent')]]);
    expect(outcomeOf('QUEUED', [report('delivered')], CALLED, { isLeased: true }).status).toBe('DELIVERED');
  });

  it('has many reports of one delivery at once, in order', () => {
    const reports = ['sent', 'delivered', 'opened', 'delivered', 'clicked', 'failed'].map((kind) =>
      report(kind as DeliveryReport['kind']),
    );
    const { transition, changed } = advance(aDelivery('RETRYING'), CALLED, reports, NOW);
    expect(transition?.events.map(({ event }) => event)).toEqual(['SENT', 'DELIVERED', 'OPENED', 'CLICKED']);
    expect(changed).toEqual([true, true, true, false, true, false]);
  });

  it('gives up a mail once', () => {
    const { transition } = advance(
      aDelivery('SENT', { attempt: 2 }),
      CALLED,
      [report('failed', { reason: 'bounce: 550' }), report('failed', { reason: 'again' })],
      NOW,
    );
    expect(transition).toMatchObject({ status: 'DEAD', failure: { error: 'bounce: 550', attempts: 3 } });
    expect(transition?.events.length).toBe(2);
  });
});

describe('people and machines', () => {
  const click = (url: string, own: Partial<DeliveryReport> = {}) =>
    report('clicked', { detail: { url }, ...own });

  it('are distinguished: what a machine did is recorded and moves nothing', () => {
    const { transition, engagements } = advance(
      aDelivery('SENT'),
      CALLED,
      [report('opened', { suspectedBot: true }), report('opened')],
      NOW,
    );
    expect(transition?.events).toEqual([
      { event: 'OPENED', status: 'SENT', detail: { suspected_bot: true } },
      { event: 'DELIVERED', status: 'DELIVERED' },
      { event: 'OPENED', status: 'OPENED' },
    ]);
    expect(engagements.map(({ event, status }) => [event, status])).toEqual([
      ['OPENED', 'SENT'],
      ['OPENED', 'OPENED'],
    ]);
  });

  it.each([
    [1_999, true],
    [2_000, false],
  ])('%d ms after sending, what fetches the pixel is a machine: %j', (age, isBot) => {
    const past = { ...CALLED, calledAt: new Date(NOW - age) };
    expect(outcomeOf('SENT', [report('opened', { isFetch: true })], past).status).toBe(
      isBot ? 'SENT' : 'OPENED',
    );
    // An app knows who tapped.
    expect(outcomeOf('DELIVERED', [report('opened')], past).status).toBe('OPENED');
  });

  it('are recorded once for each link, in this batch and in earlier ones', () => {
    const past: Past = {
      ...CALLED,
      engagements: [{ event: 'CLICKED', detail: { url: 'https://a.example', user_agent: 'x' } }],
    };
    const reports = [click('https://a.example'), click('https://b.example'), click('https://b.example')];
    expect(outcomeOf('CLICKED', reports, past).events).toEqual(['CLICKED']);
  });

  it('fill no table: after 50 only a person’s first open, click or dismissal is recorded', () => {
    const many = Array.from({ length: 80 }, (_, i) => click(`https://a.example/${i}`));
    expect(outcomeOf('DELIVERED', many).events.length).toBe(50);
    const bots = many.map((one) => ({ ...one, suspectedBot: true }));
    const { events, status } = outcomeOf('DELIVERED', [...bots, ...many, report('opened')]);
    expect(events.length).toBe(52);
    expect(status).toBe('CLICKED');
  });

  it('cannot open what was never sent', () => {
    const never: Past = { calledAt: null, providerId: null, engagements: [] };
    expect(outcomeOf('QUEUED', [report('opened')], never)).toEqual(unchanged('QUEUED'));
    // A call is on its way, or ended without our knowing: the user has it.
    expect(outcomeOf('QUEUED', [report('opened')], never, { isLeased: true }).status).toBe('OPENED');
    expect(outcomeOf('RETRYING', [report('opened')]).events).toEqual(['SENT', 'DELIVERED', 'OPENED']);
    // A machine proves nothing.
    expect(outcomeOf('RETRYING', [report('opened', { suspectedBot: true })])).toEqual(unchanged('RETRYING'));
  });
});

describe('unsubscribing', () => {
  const gone = (
    status: DeliveryStatus,
    own: Partial<DeliveryReport> = {},
    of: Partial<LockedDelivery> = {},
    past = CALLED,
  ) => advance(aDelivery(status, of), past, [report('unsubscribed', own)], NOW);

  it('proves that the mail arrived, and is recorded once', () => {
    expect(gone('SENT').transition?.events.map(({ event }) => event)).toEqual(['DELIVERED', 'UNSUBSCRIBED']);
    expect(gone('CLICKED').transition).toMatchObject({
      status: 'CLICKED',
      events: [{ event: 'UNSUBSCRIBED' }],
    });
    const again = { ...CALLED, engagements: [{ event: 'UNSUBSCRIBED' as const, detail: null }] };
    expect(gone('CLICKED', {}, {}, again)).toMatchObject({ transition: null, unsubscribedAt: new Date(NOW) });
  });

  it('counts whatever became of the delivery', () => {
    expect(gone('DEAD').transition).toMatchObject({
      status: 'DEAD',
      failure: null,
      events: [{ event: 'UNSUBSCRIBED' }],
    });
  });

  it('happened when the provider says, and never in the future', () => {
    expect(gone('SENT', { at: new Date(NOW - 5_000) }).unsubscribedAt).toEqual(new Date(NOW - 5_000));
    expect(gone('SENT', { at: new Date(NOW + 5_000) }).unsubscribedAt).toEqual(new Date(NOW));
    expect(gone('SENT', { at: new Date(Number.NaN) }).unsubscribedAt).toEqual(new Date(NOW));
  });

  it('locks nobody out of their account', () => {
    const { transition, unsubscribedAt } = gone('SENT', {}, { notificationType: 'PASSWORD_RESET' });
    expect(unsubscribedAt).toBeNull();
    expect(transition?.events.at(-1)).toMatchObject({
      event: 'UNSUBSCRIBED',
      detail: { preference: 'unchanged' },
    });
  });
});

describe('whatever is reported, in whatever order', () => {
  const RANK = ['QUEUED', 'RETRYING', 'SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'DISMISSED', 'DEAD'];
  const anyReport = fc.record({
    deliveryId: fc.constant('d'),
    kind: fc.constantFrom<DeliveryReport['kind']>(
      ...(['sent', 'delivered', 'opened', 'clicked', 'dismissed', 'unsubscribed', 'failed'] as const),
    ),
    suspectedBot: fc.boolean(),
    isFetch: fc.boolean(),
    detail: fc.record({ url: fc.constantFrom('https://a.example', 'https://b.example', '\0\ud800') }),
  });
  const statuses = fc.constantFrom<DeliveryStatus>(
    'QUEUED',
    'RETRYING',
    'SENT',
    'DELIVERED',
    'OPENED',
    'CLICKED',
    'DISMISSED',
    'DEAD',
  );

  it('no status goes back, and hearing it all again changes nothing', () => {
    fc.assert(
      fc.property(statuses, fc.array(anyReport, { maxLength: 12 }), (status, reports) => {
        const { transition } = advance(aDelivery(status), CALLED, reports, NOW);
        const path = [status, ...(transition?.events.map((event) => event.status) ?? [])];
        for (const [i, one] of path.entries()) {
          if (i === 0 || one === path[i - 1]) continue;
          expect(RANK.indexOf(one)).toBeGreaterThan(RANK.indexOf(path[i - 1]!));
        }
        const past: Past = {
          ...CALLED,
          engagements: (transition?.events ?? [])
            .filter(({ event }) => ['OPENED', 'CLICKED', 'DISMISSED', 'UNSUBSCRIBED'].includes(event))
            .map(({ event, detail }) => ({ event, detail: detail ?? null })),
        };
        const { changed } = advance(aDelivery(status), CALLED, reports, NOW);
        const told = reports.filter((_, i) => changed[i]);
        const second = advance(aDelivery(transition?.status ?? status), past, told, NOW);
        expect(second.transition).toBeNull();
      }),
      { numRuns: 1_000 },
    );
  });
});
