import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SettingsChange } from '../../src/domains/notifications/preferences/settings.js';
import { markCancelled } from '../../src/domains/notifications/schedule/cancel.js';
import { deaths, mortal } from './mortal-postgres.js';
import {
  admin,
  aRequest,
  aTemplate,
  aUser,
  deliveriesOf,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  type TestWorker,
  timelineOf,
  unique,
  until,
} from './notification-world.js';
import { HeldClock, type SandboxTrial, tryWithSandbox } from './with-sandbox.js';

let world: NotificationWorld;
let trial: SandboxTrial;
let clock: HeldClock;
let templates: Readonly<Record<'push' | 'sms' | 'email', string>>;
let worker: TestWorker;

beforeAll(async () => {
  clock = new HeldClock();
  [world, trial] = await Promise.all([openNotificationWorld(clock), tryWithSandbox()]);
  const text = { title: 'For you', body: '{{name}}', actionUrl: 'https://example.com/{{name}}' };
  const { title: _, ...noTitle } = text;
  templates = {
    push: await aTemplate(world, 'push', 'RECOMMENDATION', text),
    sms: await aTemplate(world, 'sms', 'RECOMMENDATION', noTitle),
    email: await aTemplate(world, 'email', 'RECOMMENDATION', { ...noTitle, subject: 'For you' }),
  };
});
beforeEach(() => {
  worker = world.work({ providers: trial.providers(), random: () => 0 });
});
afterEach(() => worker.close());
afterAll(async () => {
  await world.close();
  await trial.close();
});

const HOUR = 3_600;

/** Somebody who wants digests, each hour unless the test says otherwise. */
async function aReader(change: SettingsChange = {}) {
  const user = await aUser(world);
  await world.notifications.updateSettings(user.userId, { digestFrequency: 'hourly', ...change });
  return user;
}

type Own = Partial<Parameters<typeof aRequest>[0]> & { readonly channel?: 'push' | 'sms' | 'email' };

/** Sends somebody what has low priority. */
async function recommend(userId: string, name: string, { channel = 'push', ...own }: Own = {}) {
  const recipients = [{ userId, channels: [channel], variables: { name } }];
  const request = aRequest({ templateId: templates[channel], type: 'RECOMMENDATION', recipients, ...own });
  const result = await world.notifications.send(shop, request);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  const [delivery] = await deliveriesOf(world, request.notificationId);
  return {
    ...result.value,
    request,
    delivery: delivery!,
    digestId: result.value.suppressed[0]?.detail ?? '',
  };
}

const statusOf = async (notificationId: string) => (await deliveriesOf(world, notificationId))[0]!;
const requestStatus = async (notificationId: string) =>
  (await world.notifications.request(shop, notificationId, null))?.status;
const sendDigests = () => worker.run('notifications.digests');
interface Apns {
  readonly aps: { readonly alert: { readonly title: string; readonly body: string } };
}
const pushesTo = async (token: string) =>
  (await trial.received(`?channel=push&to=${token}`)).map(({ body }) => (body as Apns).aps.alert);

/** The deliveries of a digest. */
async function digest(digestId: string) {
  const request = await world.notifications.request(admin, digestId, 'notifications');
  if (!request) return [];
  const page = { limit: 10, direction: 'forward', cursor: null } as const;
  const { edges } = await world.notifications.deliveriesOfRequest(request.requestId, page);
  return edges.map(({ node }) => node);
}
const arrived = (digestId: string) =>
  until(async () => {
    const [delivery] = await digest(digestId);
    return delivery?.status === 'DELIVERED' && delivery;
  });
const waitingIn = async (digestId: string) =>
  (
    await world.postgres.query<{ dueAt: Date }>(
      'SELECT due_at AS "dueAt" FROM digest_items WHERE digest_id = $1',
      [digestId],
    )
  ).rows;

describe('a digest', () => {
  it('gathers what has low priority, and is sent once at the user’s hour', async () => {
    const { userId, token } = await aReader();
    const first = await recommend(userId, 'One');
    expect(first).toMatchObject({
      notificationsQueued: 0,
      suppressed: [{ userId, channel: 'push', reason: 'DIGESTED', detail: first.digestId }],
      delivery: { status: 'SUPPRESSED', suppression: 'DIGESTED', content: { title: 'For you', body: 'One' } },
    });
    const dueAt = Math.ceil((clock.now() + 1) / 3_600_000) * 3_600_000;
    expect(first.estimatedDelivery).toBe(new Date(dueAt + 300_000).toISOString());
    expect(await timelineOf(world, first.delivery.deliveryId)).toEqual([
      'CREATED',
      'VALIDATED',
      'PREFERENCE_CHECKED',
      'RENDERED',
      'SUPPRESSED',
    ]);
    // A repeat adds nothing; what is urgent does not wait; each channel has a digest of its own.
    expect(await world.notifications.send(shop, first.request)).toMatchObject({ ok: true });
    await recommend(userId, 'Two');
    const urgent = await recommend(userId, 'Now', { priority: 'medium' });
    expect(urgent).toMatchObject({ notificationsQueued: 1, suppressed: [] });
    const mail = await recommend(userId, 'Mail', { channel: 'email' });
    expect(mail.digestId).not.toBe(first.digestId);
    await sendDigests();
    expect(await digest(first.digestId)).toEqual([]);
    expect(await requestStatus(first.request.notificationId)).toBe('SCHEDULED');

    clock.forward(HOUR);
    await sendDigests();
    const delivery = await arrived(first.digestId);
    expect(delivery).toMatchObject({
      ...{ notificationType: 'DIGEST', priority: 'low', userId, channel: 'push', producer: 'notifications' },
      content: { title: '2 new notifications', body: 'For you: Two\nFor you: One' },
    });
    await sendDigests();
    expect(await pushesTo(token)).toHaveLength(2);
    expect(await waitingIn(first.digestId)).toEqual([]);
    expect((await statusOf(first.request.notificationId)).suppression).toBe('DIGESTED');
    expect(await requestStatus(first.request.notificationId)).toBe('COMPLETED');
  });

  it('of one notification is that notification, with its text, type and producer', async () => {
    const { userId, token } = await aReader();
    const { request, delivery, digestId } = await recommend(userId, 'Alone');
    clock.forward(HOUR);
    await sendDigests();
    const sent = await until(async () => {
      const now = await statusOf(request.notificationId);
      return now.status === 'DELIVERED' && now;
    });
    expect(sent).toMatchObject({ deliveryId: delivery.deliveryId, suppression: null });
    expect(await timelineOf(world, delivery.deliveryId)).toEqual([
      ...['CREATED', 'VALIDATED', 'PREFERENCE_CHECKED', 'RENDERED', 'SUPPRESSED'],
      ...['PREFERENCE_CHECKED', 'QUEUED', 'SENT', 'DELIVERED'],
    ]);
    expect(await pushesTo(token)).toEqual([{ title: 'For you', body: 'Alone' }]);
    expect(await digest(digestId)).toEqual([]);
  });

  it('leaves out what was cancelled, has expired, or is not wanted any more', async () => {
    const { userId, token } = await aReader();
    const expiresAt = new Date(clock.now() + 1_000);
    const expired = await recommend(userId, 'Expired', { expiresAt });
    const cancelled = await recommend(userId, 'Cancelled');
    const kept = [await recommend(userId, 'One', weekly), await recommend(userId, 'Two', weekly)];
    const unwanted = await recommend(userId, 'Marketing');
    expect(await world.notifications.cancel(shop, cancelled.request.notificationId)).toEqual({
      ok: true,
      value: 1,
    });
    await world.notifications.updateSettings(userId, { marketingOptIn: false });
    clock.forward(HOUR);
    await sendDigests();
    const sent = await arrived(kept[0]!.digestId);
    expect(sent.content?.body).toBe('For you: Two\nFor you: One');
    const left = await Promise.all(
      [expired, cancelled, unwanted].map(({ request }) => statusOf(request.notificationId)),
    );
    expect(left.map(({ status, suppression }) => [status, suppression])).toEqual([
      ['EXPIRED', 'EXPIRED'],
      ['CANCELLED', 'CANCELLED'],
      ['SUPPRESSED', 'MARKETING_OPT_OUT'],
    ]);
    expect(await pushesTo(token)).toHaveLength(1);
    // It went out with the digest.
    expect(await world.notifications.cancel(shop, kept[0]!.request.notificationId)).toEqual({
      ok: true,
      value: 0,
    });
  });

  it('leaves out what was cancelled while nobody held it, unless it stands for others', async () => {
    const { userId } = await aReader();
    const [cancelled, carrier, kept] = [
      await recommend(userId, 'Cancelled'),
      await recommend(userId, 'Two people'),
      await recommend(userId, 'Kept'),
    ];
    await world.postgres.query(
      `UPDATE deliveries SET rendered_content = rendered_content || '{"group": {"id": "g", "revision": 1, "count": 2}}'
       WHERE delivery_id = $1`,
      [carrier.delivery.deliveryId],
    );
    // As a campaign that is cancelled does with many requests, before it withdraws each.
    await markCancelled(world.postgres, [cancelled.requestId, carrier.requestId], clock.now());
    clock.forward(HOUR);
    await sendDigests();
    expect((await arrived(kept.digestId)).content?.body).toBe('For you: Kept\nFor you: Two people');
    const left = await Promise.all(
      [cancelled, carrier].map(({ request }) => statusOf(request.notificationId)),
    );
    expect(left.map(({ status, suppression }) => [status, suppression])).toEqual([
      ['CANCELLED', 'CANCELLED'],
      ['SUPPRESSED', 'DIGESTED'],
    ]);
    expect((await timelineOf(world, cancelled.delivery.deliveryId)).at(-1)).toBe('CANCELLED');
    expect(await requestStatus(cancelled.request.notificationId)).toBe('CANCELLED');
    expect(await waitingIn(kept.digestId)).toEqual([]);
  });

  it('leaves out whose address is suppressed, also since it was gathered, and they fall back', async () => {
    const email = `${unique('reader')}@example.com`;
    const { userId } = await aReader({ email });
    const mail = { channel: 'email', fallbackChannels: ['sms'] } as const;
    const gathered = [await recommend(userId, 'One', mail), await recommend(userId, 'Two', mail)];
    await world.notifications.suppressions.add(admin, { channel: 'email', address: email });
    const late = await recommend(userId, 'Three', mail);
    expect(late).toMatchObject({ notificationsQueued: 1, suppressed: [] });
    clock.forward(HOUR);
    await sendDigests();
    expect(await digest(gathered[0]!.digestId)).toEqual([]);
    expect(await waitingIn(gathered[0]!.digestId)).toEqual([]);
    for (const { request } of [...gathered, late]) {
      const [first, fallback] = await until(async () => {
        const both = await deliveriesOf(world, request.notificationId);
        return both.length === 2 && both.toSorted((a, b) => a.channel.localeCompare(b.channel));
      });
      expect(first).toMatchObject({ status: 'SUPPRESSED', suppression: 'ADDRESS_SUPPRESSED' });
      expect(fallback).toMatchObject({ channel: 'sms', fallbackForId: first!.deliveryId });
    }
  });

  it('has the text of its template, and the built-in one where that does not fit', async () => {
    const { userId } = await aReader();
    const { digestId } = await recommend(userId, 'One', { channel: 'email' });
    await recommend(userId, 'Two', { channel: 'email' });
    const body = '{{count}} and {{more}} more: {{summary}}';
    const templateId = await aTemplate(world, 'email', 'DIGEST', { subject: 'Your {{count}}', body });
    const needy = await aReader({ language: 'de' });
    const other = await recommend(needy.userId, 'Eins', { channel: 'email' });
    await recommend(needy.userId, 'Zwei', { channel: 'email' });
    const variables = { absent: { type: 'string', required: true } };
    await aTemplate(world, 'email', 'DIGEST', { language: 'de', body: '{{absent}}', variables });
    clock.forward(HOUR);
    await sendDigests();
    const [sent] = await digest(digestId);
    expect(sent?.content).toMatchObject({
      subject: 'Your 2',
      body: '2 and 0 more: For you: Two\nhttps://example.com/Two\nFor you: One\nhttps://example.com/One',
    });
    expect(await world.notifications.request(admin, digestId, null)).toMatchObject({ templateId });
    expect((await digest(other.digestId))[0]?.content?.subject).toBe('2 neue Benachrichtigungen');
  });

  it('lists its notifications in a template that loops over them, each escaped for its place', async () => {
    const { userId } = await aReader({ language: 'pt' });
    const { digestId } = await recommend(userId, '<One>', { channel: 'email' });
    await recommend(userId, 'Two & three', { channel: 'email' });
    await aTemplate(world, 'email', 'DIGEST', {
      language: 'pt',
      syntax: 'LIQUID',
      variables: { items: { type: 'list' } },
      body: '{% for item in items %}[{{ item.title }}: {{ item.body }}]{% endfor %}',
      htmlBody: '{% for item in items %}<li>{{ item.body }}</li>{% endfor %}',
    });
    clock.forward(HOUR);
    await sendDigests();
    const [sent] = await digest(digestId);
    expect(sent?.content).toMatchObject({
      body: '[For you: Two & three][For you: <One>]',
      htmlBody: '<li>Two &amp; three</li><li>&lt;One&gt;</li>',
    });
  });

  it('takes what is scheduled once that is due, and waits for the end of quiet hours', async () => {
    const at = (hours: number) => new Date(clock.now() + hours * HOUR * 1000).toISOString().slice(11, 16);
    const { userId, token } = await aReader();
    const scheduleAt = new Date(clock.now() + 60_000);
    const scheduled = await recommend(userId, 'Scheduled', { scheduleAt });
    expect(scheduled.notificationsQueued).toBe(1);
    clock.forward(61);
    await worker.run('notifications.release');
    expect((await statusOf(scheduled.request.notificationId)).suppression).toBe('DIGESTED');
    const { digestId } = await recommend(userId, 'Other');
    // They go to bed before it is sent.
    await world.notifications.updateSettings(userId, { quietHoursStart: at(0), quietHoursEnd: at(3) });
    clock.forward(HOUR);
    await sendDigests();
    expect(await digest(digestId)).toEqual([]);
    clock.forward(3 * HOUR);
    await sendDigests();
    await arrived(digestId);
    expect(await pushesTo(token)).toHaveLength(1);
  });

  it('waits where a limit is used up', async () => {
    const { userId } = await aReader();
    for (let n = 0; n < 5; n += 1) await recommend(userId, `${n}`, { channel: 'sms', priority: 'medium' });
    const { digestId } = await recommend(userId, 'One', { channel: 'sms' });
    await recommend(userId, 'Two', { channel: 'sms' });
    clock.forward(HOUR);
    await sendDigests();
    expect(await digest(digestId)).toEqual([]);
    const waiting = await waitingIn(digestId);
    expect(waiting).toHaveLength(2);
    expect(waiting[0]!.dueAt.getTime()).toBe(clock.now() + HOUR * 1000);
  });
});

/** Low priority, and no marketing. */
const weekly = { type: 'WEEKLY_DIGEST' } as const;

describe('nothing is dropped or doubled', () => {
  it('where the user changes the frequency meanwhile', async () => {
    const { userId, token } = await aReader({ digestFrequency: 'daily' });
    const daily = await recommend(userId, 'Daily');
    await recommend(userId, 'Daily too');
    await world.notifications.updateSettings(userId, { digestFrequency: 'hourly' });
    await recommend(userId, 'Hourly');
    await world.notifications.updateSettings(userId, { digestFrequency: 'realtime' });
    await recommend(userId, 'At once');
    clock.forward(25 * HOUR);
    await sendDigests();
    await arrived(daily.digestId);
    const bodies = await until(async () => {
      const pushes = await pushesTo(token);
      return pushes.length >= 3 && pushes.map(({ body }) => body).toSorted();
    });
    expect(bodies).toEqual(['At once', 'For you: Daily too\nFor you: Daily', 'Hourly']);
  });

  it('where several workers send at once', async () => {
    const readers = await Promise.all(Array.from({ length: 30 }, () => aReader()));
    const digests = await Promise.all(
      readers.map(async ({ userId }) => {
        await recommend(userId, 'One');
        return (await recommend(userId, 'Two')).digestId;
      }),
    );
    clock.forward(HOUR);
    const others = [1, 2].map(() => world.work({ providers: trial.providers(), random: () => 0 }));
    await Promise.all([worker, ...others].map((one) => one.run('notifications.digests')));
    await Promise.all(digests.map(arrived));
    for (const { token } of readers) expect(await pushesTo(token)).toHaveLength(1);
    await Promise.all(others.map((other) => other.close()));
  });

  it('where something comes to a digest that is sent already', async () => {
    const { userId, token } = await aReader();
    const { digestId } = await recommend(userId, 'One');
    await recommend(userId, 'Two');
    clock.forward(HOUR);
    await sendDigests();
    await arrived(digestId);
    // As if they had been accepted before, and committed only now.
    clock.forward(-HOUR);
    const late = [await recommend(userId, 'Three'), await recommend(userId, 'Four')];
    expect(late.map((one) => one.digestId)).toEqual([digestId, digestId]);
    // What comes to lie so far back is found once a minute.
    clock.forward(HOUR + 61);
    await sendDigests();
    await arrived(`${digestId}-${late[0]!.delivery.deliveryId.replaceAll('-', '')}`);
    expect((await pushesTo(token)).map(({ body }) => body)).toEqual([
      'For you: Two\nFor you: One',
      'For you: Four\nFor you: Three',
    ]);
  });

  it.each(deaths(14))(
    'where a process is killed $when its statement $at while it sends',
    async ({ when, at }) => {
      const [many, single] = [await aReader(), await aReader()];
      const { digestId } = await recommend(many.userId, 'One');
      const gone = await recommend(many.userId, 'Gone', { expiresAt: new Date(clock.now() + 1_000) });
      await recommend(many.userId, 'Two');
      const alone = await recommend(single.userId, 'Alone');
      clock.forward(HOUR);
      const postgres = mortal(world.postgres, when, at, { forGood: true });
      const dying = world.another({ postgres }).openDelivery({ providers: trial.providers() });
      await dying.sendDigests('test').catch(() => undefined);
      await sendDigests();

      const deliveries = await digest(digestId);
      expect(deliveries.map(({ content }) => content?.body)).toEqual(['For you: Two\nFor you: One']);
      expect(await waitingIn(digestId)).toEqual([]);
      expect(await waitingIn(alone.digestId)).toEqual([]);
      expect((await statusOf(gone.request.notificationId)).status).toBe('EXPIRED');
      const events = await timelineOf(world, alone.delivery.deliveryId);
      expect(events.filter((event) => event === 'QUEUED')).toHaveLength(1);
    },
  );
});

it('a digest that cannot be decided is put off, and holds up none of those that are due with it', async () => {
  const [broken, fine] = [await aReader(), await aReader()];
  const [first, second] = [await recommend(broken.userId, 'One'), await recommend(fine.userId, 'One')];
  await Promise.all([recommend(broken.userId, 'Two'), recommend(fine.userId, 'Two')]);
  // Stands for whatever a bug may make of one digest: it cannot be written.
  const constraint = unique('broken').replaceAll('-', '_');
  await world.postgres.query(
    `ALTER TABLE deliveries ADD CONSTRAINT ${constraint} CHECK (user_id <> '${broken.userId}' OR notification_type <> 'DIGEST')`,
  );
  clock.forward(HOUR);
  await sendDigests();
  await arrived(second.digestId);
  const waiting = await waitingIn(first.digestId);
  expect(waiting.map(({ dueAt }) => dueAt.getTime())).toEqual(Array(2).fill(clock.now() + 300_000));
  await world.postgres.query(`ALTER TABLE deliveries DROP CONSTRAINT ${constraint}`);
  clock.forward(301);
  await sendDigests();
  await arrived(first.digestId);
});
