import { describe, expect, it } from 'vitest';
import { advance } from '../../src/domains/notifications/delivery/advance.js';
import type { ClaimedDelivery } from '../../src/domains/notifications/delivery/claimed.js';
import { decideOutcome, keepBack } from '../../src/domains/notifications/delivery/outcome.js';
import type {
  DeliveryReport,
  LockedDelivery,
} from '../../src/domains/notifications/delivery/report-state.js';
import { failed } from '../../src/domains/notifications/providers/failure.js';
import type { AddressFault, ProviderOutcome } from '../../src/domains/notifications/providers/provider.js';
import { twilioMeanings } from '../../src/domains/notifications/providers/twilio/failure.js';
import { isKeptFrom, suppressionCauses } from '../../src/domains/notifications/suppressions/cause.js';
import type { Channel, DeliveryStatus } from '../../src/domains/notifications/types.js';

const NOW = Date.UTC(2026, 0, 1);
const stored = {
  deliveryId: 'd',
  requestId: 'r',
  notificationId: 'n',
  producer: 'shop',
  userId: 'ann',
  notificationType: 'ORDER_SHIPPED',
  priority: 'medium',
  attempt: 0,
  maxRetries: 5,
  content: { body: 'x' },
  createdAt: new Date(NOW - 60_000),
  queuedAt: new Date(NOW - 60_000),
  expiresAt: null,
} as const;
const claimed = (channel: 'email' | 'push', own: Partial<ClaimedDelivery> = {}): ClaimedDelivery => ({
  ...stored,
  channel,
  leaseToken: 'lease',
  takenOver: false,
  isCancelled: false,
  reachedSome: false,
  targets: [{ id: 'one', kind: channel === 'push' ? 'ios' : 'email', address: 'Ann@Example.com' }],
  ...own,
});

/** What is learned of the address by how a call ended. */
function learnedOf(outcome: ProviderOutcome, delivery = claimed('email')) {
  const [target] = delivery.targets;
  const transition = decideOutcome(
    delivery,
    [{ target: target!, startedAt: new Date(NOW), outcome }],
    NOW,
    0,
  );
  return transition.addressEvents?.map(({ kind }) => kind);
}

describe('what a type is kept from', () => {
  it('is every listed address; but what users wait for passes a complaint', () => {
    for (const cause of suppressionCauses) expect(isKeptFrom(cause, 'WEEKLY_DIGEST')).toBe(true);
    expect(suppressionCauses.filter((cause) => !isKeptFrom(cause, 'PASSWORD_RESET'))).toEqual(['COMPLAINT']);
    expect(isKeptFrom(null, 'WEEKLY_DIGEST')).toBe(false);
  });

  it('is said by the timeline, with the cause', () => {
    expect(keepBack(claimed('email'), 'HARD_BOUNCE', NOW)).toMatchObject({
      status: 'SUPPRESSED',
      suppression: 'ADDRESS_SUPPRESSED',
      events: [{ event: 'SUPPRESSED', detail: { reason: 'ADDRESS_SUPPRESSED', detail: 'HARD_BOUNCE' } }],
    });
  });
});

describe('an answer', () => {
  const bounced = failed('INVALID_ADDRESS', '550', { removeToken: true, addressFault: 'HARD_BOUNCE' });
  const full = failed('REJECTED', '452', { retryable: true, addressFault: 'SOFT_BOUNCE' });

  it('that refuses the address for good is a fault of the address', () => {
    expect(learnedOf(bounced)).toEqual(['HARD_BOUNCE']);
  });
  it('that refuses it for now is one only when the delivery is given up', () => {
    expect(learnedOf(full)).toBeUndefined();
    expect(learnedOf(full, claimed('email', { attempt: 5 }))).toEqual(['SOFT_BOUNCE']);
  });
  it('that confirms delivery ends a row of soft bounces; one that only accepts does not', () => {
    expect(learnedOf({ kind: 'delivered' })).toEqual(['DELIVERED']);
    expect(learnedOf({ kind: 'accepted' })).toBeUndefined();
  });
  it('about a device says nothing: dead tokens are removed', () => {
    expect(learnedOf(bounced, claimed('push'))).toBeUndefined();
    expect(learnedOf({ kind: 'delivered' }, claimed('push'))).toBeUndefined();
  });
  it('of Twilio about a STOP, a dead number and a phone that is off are different faults', () => {
    const faultOf = (code: number): AddressFault | undefined => twilioMeanings[code]?.addressFault;
    expect([21610, 30005, 21614, 30003].map(faultOf)).toEqual([
      'STOP',
      'HARD_BOUNCE',
      'HARD_BOUNCE',
      'SOFT_BOUNCE',
    ]);
    // A missing recipient, a filter and our own account's faults are not the address'.
    expect([21604, 30007, 20003, 21606].map(faultOf)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('a report', () => {
  const past = { calledAt: new Date(NOW - 30_000), providerId: 'm-1', engagements: [] };
  function learned(status: DeliveryStatus, reports: readonly Partial<DeliveryReport>[], own: object = {}) {
    const delivery: LockedDelivery = {
      ...stored,
      channel: 'email' as Channel,
      status,
      address: 'Ann@Example.com',
      isLeased: false,
      isAwaitingAnswer: false,
      ...own,
    };
    const all = reports.map((report) => ({ deliveryId: 'd', kind: 'failed' as const, ...report }));
    return advance(delivery, past, all, NOW).addressEvents;
  }
  const at = new Date(NOW - 10_000);

  it('that ends a delivery brings what it says of the address, once', () => {
    const bounce = { addressFault: 'HARD_BOUNCE' as const };
    expect(learned('SENT', [bounce, bounce])).toEqual([
      {
        channel: 'email',
        address: 'Ann@Example.com',
        kind: 'HARD_BOUNCE',
        deliveryId: 'd',
        at: new Date(NOW),
      },
    ]);
    expect(learned('DEAD', [bounce])).toEqual([]);
  });
  it('of a hard bounce after delivery counts where the provider says when it was', () => {
    expect(learned('DELIVERED', [{ addressFault: 'HARD_BOUNCE' }])).toEqual([]);
    expect(learned('DELIVERED', [{ addressFault: 'HARD_BOUNCE', at }])).toMatchObject([
      { kind: 'HARD_BOUNCE', at },
    ]);
    expect(learned('DELIVERED', [{ addressFault: 'SOFT_BOUNCE', at }])).toEqual([]);
  });
  it('is about the address that the provider names, which may not be the delivery’s any more', () => {
    const other = { addressFault: 'HARD_BOUNCE' as const, address: 'old@example.com', at };
    expect(learned('SENT', [other])).toMatchObject([{ address: 'old@example.com' }]);
  });
  it('of a complaint counts beside what it does to the preference', () => {
    const complaint = { kind: 'unsubscribed' as const, addressFault: 'COMPLAINT' as const, at };
    expect(learned('SENT', [{ kind: 'delivered' }, complaint])).toMatchObject([
      { kind: 'DELIVERED' },
      { kind: 'COMPLAINT' },
    ]);
  });
  it('is dated by nobody in the future', () => {
    const late = { addressFault: 'HARD_BOUNCE' as const, at: new Date(NOW + 3_600_000) };
    expect(learned('SENT', [late])).toMatchObject([{ at: new Date(NOW) }]);
  });
});
