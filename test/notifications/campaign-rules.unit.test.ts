import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createAudience } from '../../src/domains/notifications/campaigns/audience.js';
import {
  type CampaignAction,
  type CampaignStatus,
  campaignActions,
  campaignStatuses,
  statusAfter,
} from '../../src/domains/notifications/campaigns/campaign.js';
import { channelsOf, chooseChannel } from '../../src/domains/notifications/campaigns/channel.js';
import { checkNumbers } from '../../src/domains/notifications/campaigns/check-batch.js';
import { packPage } from '../../src/domains/notifications/campaigns/pack.js';
import type { Profile } from '../../src/domains/notifications/intake/profiles.js';
import type { Draft } from '../../src/domains/notifications/intake/request.js';
import type { Channel, Priority } from '../../src/domains/notifications/types.js';

describe('what an action does to a campaign', () => {
  const leadsTo = (action: CampaignAction, status: CampaignStatus) =>
    statusAfter(action, status, { hasStarted: true, isAhead: false });

  it('is nothing where it is done already, and nothing at all once the campaign is over', () => {
    expect(leadsTo('PAUSE', 'PAUSED')).toBe('PAUSED');
    expect(leadsTo('RESUME', 'RUNNING')).toBe('RUNNING');
    expect(leadsTo('CANCEL', 'CANCELLED')).toBe('CANCELLED');
    for (const action of campaignActions)
      for (const status of ['COMPLETED', 'FAILED'] as const) expect(leadsTo(action, status)).toBeNull();
    expect([leadsTo('PAUSE', 'CANCELLED'), leadsTo('RESUME', 'CANCELLED')]).toEqual([null, null]);
  });

  it('lets one that was paused before it began begin later', () => {
    const [now, ahead] = [false, true].map((isAhead) => ({ hasStarted: false, isAhead }));
    expect(statusAfter('PAUSE', 'PENDING', now!)).toBe('PAUSED');
    expect(statusAfter('RESUME', 'PAUSED', now!)).toBe('PENDING');
    expect(statusAfter('PAUSE', 'SCHEDULED', ahead!)).toBe('PAUSED');
    expect(statusAfter('RESUME', 'PAUSED', ahead!)).toBe('SCHEDULED');
    expect(statusAfter('RESUME', 'SCHEDULED', ahead!)).toBe('SCHEDULED');
    expect(statusAfter('CANCEL', 'SCHEDULED', ahead!)).toBe('CANCELLED');
    expect(leadsTo('RESUME', 'PAUSED')).toBe('RUNNING');
  });

  it('leads from every status to one that there is, or is refused', () => {
    for (const action of campaignActions)
      for (const status of campaignStatuses)
        expect([null, ...campaignStatuses]).toContain(leadsTo(action, status));
  });
});

describe('the channel of a campaign', () => {
  const profile = (own: Partial<Profile>): Profile => ({
    userId: 'ann',
    quietHoursStart: null,
    quietHoursEnd: null,
    timezone: 'UTC',
    language: null,
    marketingOptIn: true,
    digestFrequency: 'realtime',
    suppressions: null,
    email: 'ann@example.com',
    phone: '+15551234567',
    declined: null,
    declinedDigests: null,
    hasDevice: true,
    ...own,
  });
  const choose = (
    channels: readonly Channel[],
    own: Partial<Profile>,
    type = 'NEWS',
    priority: Priority = 'low',
  ) => chooseChannel(channels, profile(own), { type, priority });

  it('is the first that reaches the user and that they have not turned off', () => {
    expect(choose(['push', 'email', 'sms'], {})).toBe('push');
    expect(choose(['push', 'email', 'sms'], { hasDevice: false })).toBe('email');
    expect(choose(['push', 'email'], { declined: { push: 'CHANNEL_DISABLED' } })).toBe('email');
    expect(choose(['email', 'sms'], { suppressions: { email: 'HARD_BOUNCE' } })).toBe('sms');
  });

  it('is one on which they get digests, where it would go with one', () => {
    const declined = { digestFrequency: 'daily', declinedDigests: { push: 'UNSUBSCRIBED' } } as const;
    expect(choose(['push', 'email'], declined)).toBe('email');
    expect(choose(['push', 'email'], declined, 'NEWS', 'medium')).toBe('push');
    expect(choose(['push', 'email'], declined, 'SECURITY_ALERT')).toBe('push');
    expect(choose(['push'], declined)).toBe('push');
  });

  it('is one that says why, where the user cannot or will not be reached', () => {
    expect(choose(['push', 'email'], { hasDevice: false, declined: { email: 'UNSUBSCRIBED' } })).toBe(
      'email',
    );
    expect(choose(['push', 'email'], { hasDevice: false, email: null })).toBe('push');
    expect(choose(['push'], { marketingOptIn: false }, 'MARKETING_CAMPAIGN')).toBe('push');
  });

  it('is one that has a template, in-app only where the campaign names an in-app template', () => {
    const templates = (['in_app', 'sms', 'push'] as const).map((channel) => ({ channel }));
    expect(channelsOf(templates, 'sms')).toEqual(['push', 'sms']);
    expect(channelsOf(templates, 'in_app')).toEqual(['push', 'sms', 'in_app']);
    expect(channelsOf([{ channel: 'in_app' }], 'push')).toEqual([]);
  });
});

describe('the numbers of a batch', () => {
  it('are refused each with its path, all at once', () => {
    const faults = checkNumbers({
      segment: { filter: '', estimatedCount: -1 },
      throttle: { maxPerSecond: 0, windowHours: 10_000 },
    });
    expect(faults.map(({ code, path }) => `${code} ${path?.join('.')}`)).toEqual([
      'ESTIMATE_INVALID input.segment.estimatedCount',
      'RATE_INVALID input.throttle.maxPerSecond',
      'WINDOW_INVALID input.throttle.windowHours',
    ]);
    expect(checkNumbers({ segment: { filter: '' }, throttle: { windowHours: 0 } })).toHaveLength(1);
    expect(
      checkNumbers({
        segment: { filter: '', estimatedCount: 0 },
        throttle: { maxPerSecond: 1, windowHours: 720 },
      }),
    ).toEqual([]);
  });
});

describe('an audience', () => {
  /** Users 0 to n - 1, of whom some match, in pages of those who are looked at. */
  const audienceOf = (matches: readonly boolean[], looked: number, start: string | null = null) =>
    createAudience(async (after) => {
      const from = after === null ? 0 : Number(after) + 1;
      const page = matches
        .slice(from, from + looked)
        .map((match, index) => [String(from + index), match] as const);
      return {
        userIds: page.flatMap(([userId, match]) => (match ? [userId] : [])),
        next: page.length < looked ? null : page.at(-1)![0],
      };
    }, start);

  it('gives everybody who matches once, in order, also where it is left and gone on with at any point', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 200 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.record({ count: fc.integer({ min: 1, max: 30 }), isKilled: fc.boolean() }), {
          minLength: 1,
        }),
        async (matches, looked, steps) => {
          const got: string[] = [];
          let place: string | null = null;
          let audience = audienceOf(matches, looked);
          for (let n = 0, isEnd = false; !isEnd; n += 1) {
            const { count, isKilled } = steps[n % steps.length]!;
            if (isKilled) audience = audienceOf(matches, looked, place);
            const taken = await audience.take(count);
            expect(taken.userIds.length).toBeLessThanOrEqual(count);
            got.push(...taken.userIds);
            place = taken.after;
            isEnd = taken.isEnd;
          }
          expect(got).toEqual(matches.flatMap((match, index) => (match ? [String(index)] : [])));
        },
      ),
    );
  });

  it('says who comes next before they are taken', async () => {
    const audience = audienceOf([true, false, true, true, true], 4);
    expect(audience.next(2)).toEqual([]);
    await audience.take(1);
    expect(audience.next(2)).toEqual(['2', '3']);
    expect((await audience.take(2)).userIds).toEqual(['2', '3']);
    await vi.waitFor(() => expect(audience.next(2)).toEqual(['4']));
  });

  it('gives nobody who was looked at more than half a minute before, and everybody once all the same', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 100 }),
        fc.integer({ min: 1, max: 30 }),
        fc.array(
          fc.record({ count: fc.integer({ min: 1, max: 9 }), waitMs: fc.integer({ max: 40_000, min: 0 }) }),
          {
            minLength: 1,
          },
        ),
        async (matches, looked, steps) => {
          let at = 0;
          const lookedAt = new Map<string, number>();
          const audience = createAudience(
            async (after) => {
              const from = after === null ? 0 : Number(after) + 1;
              const userIds = matches.flatMap((match, n) =>
                match && n >= from && n < from + looked ? [String(n)] : [],
              );
              for (const userId of userIds) lookedAt.set(userId, at);
              return { userIds, next: from + looked > matches.length ? null : String(from + looked - 1) };
            },
            null,
            () => at,
          );
          const got: string[] = [];
          for (let n = 0, isEnd = false; !isEnd; n += 1) {
            const { count, waitMs } = steps[n % steps.length]!;
            const taken = await audience.take(count);
            for (const userId of taken.userIds) expect(at - lookedAt.get(userId)!).toBeLessThan(30_000);
            got.push(...taken.userIds);
            isEnd = taken.isEnd;
            at += waitMs;
          }
          expect(got).toEqual(matches.flatMap((match, index) => (match ? [String(index)] : [])));
        },
      ),
    );
  });

  it('asks again for a page that could not be read', async () => {
    let calls = 0;
    const audience = createAudience(async () => {
      calls += 1;
      if (calls === 1) throw new Error('away');
      return { userIds: ['ann'], next: null };
    }, null);
    await expect(audience.take(1)).rejects.toThrow('away');
    expect(await audience.take(1)).toEqual({ userIds: ['ann'], after: 'ann', isEnd: true });
  });
});

describe('a packed page', () => {
  it('says of each user what was decided, and what many share once', () => {
    const steps = [{ event: 'CREATED' }, { event: 'QUEUED' }] as const;
    const left = [...steps, { event: 'SUPPRESSED', detail: { reason: 'NO_ADDRESS' } }] as const;
    const draft = (n: number): Draft => ({
      deliveryId: `delivery-${n}`,
      recipient: n,
      userId: `user-${n}`,
      channel: 'email',
      variables: {},
      steps: n % 3 === 0 ? left : steps,
      content: { body: 'Hello' },
      ...(n % 3 === 0 ? { suppression: { reason: 'NO_ADDRESS' as const } } : { address: `${n}@example.com` }),
    });
    const packed = packPage({ drafts: [0, 1, 2, 3].map(draft), isOfReaders: false }, 'low');
    expect(packed).toMatchObject({
      userIds: ['user-0', 'user-1', 'user-2', 'user-3'],
      kindOf: [1, 2, 2, 1],
      firstEvents: [0, 3, 5, 7],
      addresses: [null, '1@example.com', '2@example.com', null],
      events: 10,
      queued: 2,
    });
    expect(packed.kinds).toMatchObject([
      { status: 'SUPPRESSED', suppression: 'NO_ADDRESS', steps: left },
      { status: 'QUEUED', content: { body: 'Hello' }, maxRetries: 5, steps },
    ]);
  });
});
