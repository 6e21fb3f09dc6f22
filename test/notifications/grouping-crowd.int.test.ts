import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queueOf } from '../../src/domains/notifications/delivery/tasks.js';
import { systemClock } from '../../src/platform/clock.js';
import { type GroupingWorld, openGroupingWorld } from './grouping-world.js';
import { deaths, mortal } from './mortal-postgres.js';
import { aUser, shop, unique, until } from './notification-world.js';
import { neverAborted, silent } from './with-sandbox.js';

let groups: GroupingWorld;
beforeAll(async () => {
  groups = await openGroupingWorld();
});
beforeEach(() => groups.trial.reset());
afterAll(() => groups?.close());

const providers = () => groups.trial.providers(undefined, undefined, systemClock);

describe('a group never loses a person', () => {
  it('while people join, withdraw and come back, of several posts, at once', async () => {
    const person = fc.constantFrom('Ann', 'Ben', 'Cat', 'Dan', 'Eve');
    const step = fc.record({
      what: fc.constantFrom('like', 'like', 'withdraw', 'affirm'),
      person,
      post: fc.constantFrom('p', 'q'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 6 }),
        async (rounds) => {
          const userId = unique('author');
          const of = { userIds: [userId], producer: 'shop', type: 'POST_LIKED' };
          const expected = new Map<string, Set<string>>();
          for (const round of rounds) {
            // Of one person and post one step a round: their order is what decides.
            const steps = [...new Map(round.map((one) => [`${one.post}/${one.person}`, one])).values()];
            const opened = new Set(expected.keys());
            await Promise.all(
              steps.map(async ({ what, person, post }) => {
                const member = { key: post, actorId: person.toLowerCase(), actorName: person };
                const { affirmMember, withdrawMember } = groups.world.notifications;
                if (what === 'like') await groups.like(userId, person, post, { channels: ['in_app'] });
                else if (what === 'affirm') await affirmMember(of, member);
                else await withdrawMember(of, member, new Date(Date.now() + 60_000));
              }),
            );
            for (const { what, person, post } of steps) {
              const people = expected.get(post) ?? new Set<string>();
              if (what === 'like') expected.set(post, people.add(person.toLowerCase()));
              else if (what === 'withdraw') people.delete(person.toLowerCase());
              // Nothing is opened by somebody who only acts again; within a round, whether it is open yet is up to chance.
              else if (opened.has(post)) people.add(person.toLowerCase());
            }
            if (round.some(({ what, post }) => what === 'affirm' && !opened.has(post) && expected.has(post)))
              return;
          }
          const found = (await groups.groupsOf(userId)).map(({ count, people }) => [count, people.join()]);
          const wanted = [...expected.values()].map((people) => [people.size, [...people].toSorted().join()]);
          expect(found.toSorted()).toEqual(wanted.toSorted());
        },
      ),
      { numRuns: 25 },
    );
  });

  it('with a crowd at once, four workers and a provider that fails now and then: one item, and everybody in it', async () => {
    const { userId, token } = await aUser(groups.world);
    groups.world.runSchedules();
    const workers = Array.from({ length: 4 }, () =>
      groups.world.work({ providers: providers(), random: () => 0 }),
    );
    await groups.trial.misbehave({ channel: 'push', status: 503, reason: 'ServiceUnavailable', times: 2 });
    const people = Array.from({ length: 60 }, () => groups.person());
    // Some act twice.
    await Promise.all(
      [...people, ...people.slice(0, 20)].map((person) => groups.like(userId, person, 'post')),
    );
    const item = await until(async () => {
      const items = await groups.inbox(userId);
      return items[0]?.actorCount === 60 && items;
    }, 30_000);
    expect(item).toHaveLength(1);
    expect(item[0]!.title).toMatch(/^person\w+ and 59 others$/);
    const [group] = await groups.groupsOf(userId);
    expect(group).toEqual({ count: 60, people: people.map((one) => one.toLowerCase()).toSorted() });
    const statuses = await until(async () => {
      const all = await groups.statuses(userId);
      const isDone = !['in_app SCHEDULED', 'in_app QUEUED', 'push QUEUED', 'push RETRYING'].some(
        (one) => one in all,
      );
      return isDone && 'push DELIVERED' in all && all;
    }, 30_000);
    const inApp = Object.entries(statuses).filter(([what]) => what.startsWith('in_app'));
    expect(inApp.reduce((sum, [, count]) => sum + count, 0)).toBe(80);
    const pushes = await groups.pushesTo(token);
    expect(new Set(pushes.map(({ headers }) => headers['apns-collapse-id'])).size).toBe(1);
    // The first, and milestones.
    expect(pushes.length).toBeLessThanOrEqual(8);
    await Promise.all(workers.map((one) => one.close()));
  }, 60_000);

  it('wherever a process is killed that releases them', async () => {
    const { userId } = await aUser(groups.world);
    const releases = (postgres = groups.world.postgres) =>
      groups.world.another({ postgres }).openDelivery({ providers: providers() });
    const alive = releases();
    const mailbox = { queue: queueOf('in_app', 'medium'), userId };
    const run = { correlationId: 'test', logger: silent, signal: neverAborted(), runsAgain: false };
    let count = 0;
    // Reading what is oldest, taking, reading the group, noting, applying: more statements than a release has.
    for (const { when, at } of deaths(16)) {
      count += 1;
      await groups.like(userId, groups.person(), 'post', { channels: ['in_app'] });
      // The last summary is seconds ago.
      await groups.world.postgres.query(
        `UPDATE notification_group_summaries SET summary = jsonb_set(summary, '{at}', to_jsonb((summary ->> 'at')::bigint - 10000))
         WHERE summary IS NOT NULL`,
      );
      await releases(mortal(groups.world.postgres, when, at))
        .release()
        .catch(() => undefined);
      await until(async () => {
        await alive.release();
        await alive.drain(mailbox, run);
        return (await groups.inbox(userId))[0]?.actorCount === count;
      });
    }
    expect(await groups.inbox(userId)).toHaveLength(1);
    expect((await groups.groupsOf(userId))[0]).toMatchObject({ count });
  }, 120_000);

  it('wherever a process is killed that accepts one: it is in the group if and only if its request is stored', async () => {
    const userId = unique('author');
    const accepted: string[] = [];
    for (const { when, at } of deaths(4)) {
      const person = groups.person();
      const request = groups.requestOf(userId, person, 'post', { channels: ['in_app'] });
      const dying = groups.world.another({ postgres: mortal(groups.world.postgres, when, at) });
      await dying.send(shop, request).catch(() => undefined);
      const before = (await groups.groupsOf(userId))[0]?.people ?? [];
      const isStored =
        (await groups.world.notifications.request(shop, request.notificationId, null)) !== null;
      expect(before.includes(person.toLowerCase())).toBe(isStored);
      expect(await groups.world.notifications.send(shop, request)).toMatchObject({ ok: true });
      accepted.push(person.toLowerCase());
    }
    expect(await groups.groupsOf(userId)).toEqual([{ count: accepted.length, people: accepted.toSorted() }]);
  });
});
