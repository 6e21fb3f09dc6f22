import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepPeople, keptPeople } from '../../src/domains/notifications/grouping/kept-people.js';
import { checkMember } from '../../src/domains/notifications/grouping/member.js';
import { milestone, planSummary, type Summary } from '../../src/domains/notifications/grouping/pace.js';
import { createGroupingRules, groupingVariable } from '../../src/domains/notifications/grouping/rules.js';
import { wordingOf } from '../../src/domains/notifications/grouping/wording.js';
import { apnsHeaders, apnsPayload } from '../../src/domains/notifications/providers/apns/message.js';
import { fcmMessage } from '../../src/domains/notifications/providers/fcm/message.js';
import {
  webPushOptions,
  webPushPayload,
} from '../../src/domains/notifications/providers/web-push/message.js';
import type { Channel } from '../../src/domains/notifications/types.js';
import { someMessage } from './with-sandbox.js';

describe('the text of a group', () => {
  it.each([
    [['Ann'], 1, 'en', 'Ann', 'Ann', 0],
    [['Ann'], 2, 'en', 'Ann and 1 other', 'Ann', 1],
    [['Ann'], 12, 'en', 'Ann and 11 others', 'Ann', 11],
    [['Ann'], 12_346, 'en', 'Ann and 12,345 others', 'Ann', 12_345],
    [['Ann', 'Ben'], 2, 'en', 'Ann and Ben', 'Ann and Ben', 0],
    [['Ann', 'Ben'], 12, 'en-US', 'Ann, Ben, and 10 others', 'Ann, Ben', 10],
    [['Ann'], 2, 'de', 'Ann und 1 weitere Person', 'Ann', 1],
    [['Ann'], 1_001, 'de', 'Ann und 1.000 weitere', 'Ann', 1_000],
    [['Ann'], 12, 'pt-BR', 'Ann e mais 11 pessoas', 'Ann', 11],
    [['Ann'], 12, 'fi', 'Ann +11', 'Ann', 11],
  ])('of %j among %i in %s is "%s"', (names, count, language, actors, actor, others) => {
    expect(wordingOf({ names, count }, language)).toEqual({ actors, actor, others, count });
  });
});

describe('whom a fallback is about', () => {
  it('is kept among the variables, and a variable of a producer is not taken for it', () => {
    const people = { names: ['Ann'], count: 12 };
    const stored = { name: 'x', ...JSON.parse(JSON.stringify(keepPeople(people))) };
    expect(keptPeople(stored)).toEqual({ variables: { name: 'x' }, people });
    for (const own of ['Ann', ['Ann'], { names: 'Ann', count: 12 }]) {
      const given = { name: 'x', $people: own };
      expect(keptPeople(given)).toEqual({ variables: given });
    }
  });
});

describe('how groups are configured', () => {
  it('is said by type: the window, and how many names are shown', () => {
    const parsed = groupingVariable.parse('POST_LIKED=30m/2, NEW_FOLLOWER=1d,X=off');
    expect(parsed).toEqual({
      POST_LIKED: { windowSeconds: 1_800, names: 2 },
      NEW_FOLLOWER: { windowSeconds: 86_400, names: 1 },
      X: null,
    });
    const rules = createGroupingRules({ POST_LIKED: null });
    expect(rules('POST_LIKED')).toBeNull();
    expect(createGroupingRules()('POST_LIKED')).toEqual({ windowSeconds: 43_200, names: 1 });
    expect(rules('toString')).toBeNull();
  });

  it.each(['POST_LIKED', 'POST_LIKED=12', 'X=0s', 'X=8d', 'X=1h/0', 'X=1h/4', 'X=-1h', '=1h', 'X=1h;Y=1h'])(
    'refuses %s',
    (text) => expect(groupingVariable.safeParse(text).success).toBe(false),
  );

  it.each([
    [{ key: '' }, ['input', 'group', 'key']],
    [{ key: 'k'.repeat(129) }, ['input', 'group', 'key']],
    [{ actorId: 'a\nb' }, ['input', 'group', 'actorId']],
    [{ actorName: ' \u200b' }, ['input', 'group', 'actorName']],
    [{ actorName: 'x\0' }, ['input', 'group', 'actorName']],
    [{ actorName: '\ud800' }, ['input', 'group', 'actorName']],
  ])('refuses a member with %j', (own, path) => {
    const member = { key: 'post', actorId: 'ann', actorName: 'Ann', ...own };
    expect(checkMember(member, undefined)).toEqual([
      { code: 'GROUP_INVALID', message: expect.any(String), path },
    ]);
  });
  it('refuses one that is sent later', () => {
    const member = { key: 'post', actorId: 'ann', actorName: 'Ann' };
    expect(checkMember(member, new Date())).toMatchObject([{ code: 'GROUP_INVALID' }]);
    expect(checkMember(member, undefined)).toEqual([]);
  });
});

describe('the pace of a group', () => {
  it('has milestones at 1, 2 and 5 times the powers of ten', () => {
    const counts = [1, 2, 3, 4, 5, 9, 10, 19, 20, 49, 50, 99, 100, 999, 1_000, 4_999, 5_000, 1_000_000];
    expect(counts.map(milestone)).toEqual([
      ...[1, 2, 2, 2, 5, 5, 10, 10, 20, 20, 50, 50, 100, 500, 1_000, 2_000, 5_000, 1_000_000],
    ]);
  });

  /** What a device or an inbox sees of people who come at these instants, where it is looked at every second and at the plan's word. */
  function play(channel: Channel, comings: readonly number[]): readonly Summary[] {
    const summaries: Summary[] = [];
    let last: Summary | null = null;
    let waitsUntil: number | null = null;
    const look = (now: number, count: number): void => {
      const plan = planSummary({ count, newest: count, last, isLastPending: false }, channel, now);
      if (plan.kind === 'wait') {
        expect(plan.until).toBeGreaterThan(now);
        waitsUntil = plan.until;
      }
      if (plan.kind !== 'send') return;
      const summary = { ...plan.summary, deliveryId: String(summaries.length) };
      summaries.push(summary);
      last = summary;
      waitsUntil = null;
    };
    comings.forEach((at, index) => {
      while (waitsUntil !== null && waitsUntil < at) {
        const then: number = waitsUntil;
        waitsUntil = null;
        look(then, index);
      }
      look(at, index + 1);
    });
    while (waitsUntil !== null) {
      const then: number = waitsUntil;
      waitsUntil = null;
      look(then, comings.length);
    }
    return summaries;
  }
  const crowds = fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 1, maxLength: 400 }).map((gaps) =>
    gaps.map(
      (
        (sum) => (gap: number) =>
          (sum += gap)
      )(1_000_000),
    ),
  );

  it('sends the first at once and the last in the end, about everybody, and nothing twice', () => {
    fc.assert(
      fc.property(crowds, fc.constantFrom<Channel>('push', 'in_app'), (comings, channel) => {
        const summaries = play(channel, comings);
        expect(summaries[0]).toMatchObject({ at: comings[0], count: 1, revision: 1 });
        expect(summaries.at(-1)!.count).toBe(comings.length);
        const counts = summaries.map(({ count }) => count);
        expect(counts).toEqual([...new Set(counts)].toSorted((a, b) => a - b));
        expect(summaries.map(({ revision }) => revision)).toEqual(summaries.map((_, index) => index + 1));
        const longest = channel === 'push' ? 3_600_000 : 1_000;
        expect(summaries.at(-1)!.at - comings.at(-1)!).toBeLessThanOrEqual(longest);
      }),
    );
  });

  it('makes a few pushes, whatever the crowd', () => {
    fc.assert(
      fc.property(crowds, (comings) => {
        const lastsMs = comings.at(-1)! - comings[0]!;
        const milestones = new Set(comings.map((_, index) => milestone(index + 1))).size;
        // A pause doubles from a minute to an hour: six of them, and one an hour afterwards.
        expect(play('push', comings).length).toBeLessThanOrEqual(
          milestones + 7 + Math.ceil(lastsMs / 3_600_000),
        );
      }),
    );
    const crowd = Array.from({ length: 10_000 }, (_, n) => 1_000_000 + n);
    expect(play('push', crowd).map(({ count }) => count)).toEqual([
      ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000],
    ]);
    expect(play('in_app', crowd)).toHaveLength(11);
  });

  it('waits for an earlier message that was not sent yet, and not for one that was', () => {
    const last = { deliveryId: 'd', at: 1_000, count: 1, nth: 1, revision: 1 };
    const plan = (isLastPending: boolean, now: number) =>
      planSummary({ count: 2, newest: 2, last, isLastPending }, 'push', now);
    expect(plan(true, 1_100)).toEqual({ kind: 'wait', until: 2_100 });
    expect(plan(true, 31_000)).toEqual({ kind: 'wait', until: 61_000 });
    expect(plan(true, 600_000)).toEqual({ kind: 'wait', until: 660_000 });
    expect(plan(false, 1_100)).toMatchObject({ kind: 'send', summary: { count: 2, revision: 2 } });
  });

  it('sends nothing where nobody is left, or nobody came since', () => {
    const last = { deliveryId: 'd', at: 1, count: 2, nth: 7, revision: 1 };
    const plan = (count: number, newest: number) =>
      planSummary({ count, newest, last, isLastPending: false }, 'push', 1e9);
    expect(plan(0, 0)).toEqual({ kind: 'known' });
    expect(plan(1, 7)).toEqual({ kind: 'known' });
    expect(plan(1, 8)).toMatchObject({ kind: 'send', summary: { count: 1 } });
  });
});

describe('on devices', () => {
  const group = { id: '01980000-0000-7000-8000-000000000000', revision: 1, count: 1 };
  const message = (revision: number) =>
    someMessage({ content: { title: 'T', body: 'B', group: { ...group, revision } } });
  const aps = (revision: number) => JSON.parse(apnsPayload(message(revision))).aps;
  const web = (revision: number) => JSON.parse(webPushPayload(message(revision))).notification;

  it('all of a group have one name, which each service takes', () => {
    for (const revision of [1, 2]) {
      expect(apnsHeaders(message(revision), 'app')['apns-collapse-id']).toBe(group.id);
      const { android, apns, webpush } = fcmMessage(message(revision), 0);
      expect(android).toMatchObject({ collapse_key: group.id, notification: { tag: group.id } });
      expect(apns.headers['apns-collapse-id']).toBe(group.id);
      expect(webpush.notification.tag).toBe(group.id);
      expect(web(revision).tag).toBe(group.id);
      const { topic } = webPushOptions(message(revision), 0);
      expect(topic).toMatch(/^[\w-]{1,32}$/);
      expect(webpush.headers.Topic).toBe(topic);
      expect(topic).toBe(webPushOptions(message(1), 0).topic);
    }
    expect(Buffer.byteLength(group.id)).toBeLessThanOrEqual(64);
  });

  it('a later one replaces the earlier one without a sound', () => {
    expect(aps(1)).toMatchObject({ sound: 'default' });
    expect(aps(2)).not.toHaveProperty('sound');
    expect(aps(2)).toMatchObject({ 'interruption-level': 'passive' });
    expect(fcmMessage(message(1), 0).android.notification).toMatchObject({ sound: 'default' });
    expect(fcmMessage(message(2), 0).android.notification).not.toHaveProperty('sound');
    expect(fcmMessage(message(2), 0).webpush.notification).toMatchObject({ silent: true });
    expect(web(1)).not.toHaveProperty('silent');
    expect(web(2)).toMatchObject({ silent: true });
  });
});
