import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DigestWorld, HOUR, openDigestWorld } from './digest-world.js';
import { deaths, mortal } from './mortal-postgres.js';
import { type TestWorker, timelineOf, unique, until } from './notification-world.js';

let digests: DigestWorld;
let worker: TestWorker;
beforeAll(async () => {
  digests = await openDigestWorld();
});
beforeEach(() => {
  worker = digests.startWorker();
});
afterEach(() => worker.close());
afterAll(() => digests.close());

const sendDigests = () => worker.run('notifications.digests');

describe('nothing is dropped or doubled', () => {
  it('where the user changes the frequency meanwhile', async () => {
    const { userId, token } = await digests.aReader({ digestFrequency: 'daily' });
    const daily = await digests.recommend(userId, 'Daily');
    await digests.recommend(userId, 'Daily too');
    await digests.world.notifications.updateSettings(userId, { digestFrequency: 'hourly' });
    await digests.recommend(userId, 'Hourly');
    await digests.world.notifications.updateSettings(userId, { digestFrequency: 'realtime' });
    await digests.recommend(userId, 'At once');
    digests.clock.forward(25 * HOUR);
    await sendDigests();
    await digests.arrived(daily.digestId);
    const bodies = await until(async () => {
      const pushes = await digests.pushesTo(token);
      return pushes.length >= 3 && pushes.map(({ body }) => body).toSorted();
    });
    expect(bodies).toEqual(['At once', 'For you: Daily too\nFor you: Daily', 'Hourly']);
  });

  it('where several workers send at once', async () => {
    const readers = await Promise.all(Array.from({ length: 30 }, () => digests.aReader()));
    const digestIds = await Promise.all(
      readers.map(async ({ userId }) => {
        await digests.recommend(userId, 'One');
        return (await digests.recommend(userId, 'Two')).digestId;
      }),
    );
    digests.clock.forward(HOUR);
    const others = [1, 2].map(() =>
      digests.world.work({ providers: digests.trial.providers(), random: () => 0 }),
    );
    await Promise.all([worker, ...others].map((one) => one.run('notifications.digests')));
    await Promise.all(digestIds.map(digests.arrived));
    for (const { token } of readers) expect(await digests.pushesTo(token)).toHaveLength(1);
    await Promise.all(others.map((other) => other.close()));
  });

  it('where something comes to a digest that is sent already', async () => {
    const { userId, token } = await digests.aReader();
    const { digestId } = await digests.recommend(userId, 'One');
    await digests.recommend(userId, 'Two');
    digests.clock.forward(HOUR);
    await sendDigests();
    await digests.arrived(digestId);
    // As if they had been accepted before, and committed only now.
    digests.clock.forward(-HOUR);
    const late = [await digests.recommend(userId, 'Three'), await digests.recommend(userId, 'Four')];
    expect(late.map((one) => one.digestId)).toEqual([digestId, digestId]);
    // What comes to lie so far back is found once a minute.
    digests.clock.forward(HOUR + 61);
    await sendDigests();
    await digests.arrived(`${digestId}-${late[0]!.delivery.deliveryId.replaceAll('-', '')}`);
    expect((await digests.pushesTo(token)).map(({ body }) => body)).toEqual([
      'For you: Two\nFor you: One',
      'For you: Four\nFor you: Three',
    ]);
  });

  it.each(deaths(14))(
    'where a process is killed $when its statement $at while it sends',
    async ({ when, at }) => {
      const [many, single] = [await digests.aReader(), await digests.aReader()];
      const { digestId } = await digests.recommend(many.userId, 'One');
      const gone = await digests.recommend(many.userId, 'Gone', {
        expiresAt: new Date(digests.clock.now() + 1_000),
      });
      await digests.recommend(many.userId, 'Two');
      const alone = await digests.recommend(single.userId, 'Alone');
      digests.clock.forward(HOUR);
      const postgres = mortal(digests.world.postgres, when, at, { forGood: true });
      const dying = digests.world
        .another({ postgres })
        .openDelivery({ providers: digests.trial.providers() });
      await dying.sendDigests('test').catch(() => undefined);
      await sendDigests();

      const deliveries = await digests.digest(digestId);
      expect(deliveries.map(({ content }) => content?.body)).toEqual(['For you: Two\nFor you: One']);
      expect(await digests.waitingIn(digestId)).toEqual([]);
      expect(await digests.waitingIn(alone.digestId)).toEqual([]);
      expect((await digests.statusOf(gone.request.notificationId)).status).toBe('EXPIRED');
      const events = await timelineOf(digests.world, alone.delivery.deliveryId);
      expect(events.filter((event) => event === 'QUEUED')).toHaveLength(1);
    },
  );
});

it('a digest that cannot be decided is put off, and holds up none of those that are due with it', async () => {
  const [broken, fine] = [await digests.aReader(), await digests.aReader()];
  const [first, second] = [
    await digests.recommend(broken.userId, 'One'),
    await digests.recommend(fine.userId, 'One'),
  ];
  await Promise.all([digests.recommend(broken.userId, 'Two'), digests.recommend(fine.userId, 'Two')]);
  // Stands for whatever a bug may make of one digest: it cannot be written.
  const constraint = unique('broken').replaceAll('-', '_');
  await digests.world.postgres.query(
    `ALTER TABLE deliveries ADD CONSTRAINT ${constraint} CHECK (user_id <> '${broken.userId}' OR notification_type <> 'DIGEST')`,
  );
  digests.clock.forward(HOUR);
  await sendDigests();
  await digests.arrived(second.digestId);
  const waiting = await digests.waitingIn(first.digestId);
  expect(waiting.map(({ dueAt }) => dueAt.getTime())).toEqual(Array(2).fill(digests.clock.now() + 300_000));
  await digests.world.postgres.query(`ALTER TABLE deliveries DROP CONSTRAINT ${constraint}`);
  digests.clock.forward(301);
  await sendDigests();
  await digests.arrived(first.digestId);
});
