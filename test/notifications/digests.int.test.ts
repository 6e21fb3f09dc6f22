import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DigestWorld, HOUR, openDigestWorld } from './digest-world.js';
import { admin, aTemplate, shop, type TestWorker, timelineOf, until } from './notification-world.js';

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

/** Low priority, and no marketing. */
const weekly = { type: 'WEEKLY_DIGEST' } as const;

const sendDigests = () => worker.run('notifications.digests');

describe('a digest', () => {
  it('gathers what has low priority, and is sent once at the user’s hour', async () => {
    const { userId, token } = await digests.aReader();
    const first = await digests.recommend(userId, 'One');
    expect(first).toMatchObject({
      notificationsQueued: 0,
      suppressed: [{ userId, channel: 'push', reason: 'DIGESTED', detail: first.digestId }],
      delivery: { status: 'SUPPRESSED', suppression: 'DIGESTED', content: { title: 'For you', body: 'One' } },
    });
    const dueAt = Math.ceil((digests.clock.now() + 1) / 3_600_000) * 3_600_000;
    expect(first.estimatedDelivery).toBe(new Date(dueAt + 300_000).toISOString());
    expect(await timelineOf(digests.world, first.delivery.deliveryId)).toEqual([
      'CREATED',
      'VALIDATED',
      'PREFERENCE_CHECKED',
      'RENDERED',
      'SUPPRESSED',
    ]);
    // A repeat adds nothing; what is urgent does not wait; each channel has a digest of its own.
    expect(await digests.world.notifications.send(shop, first.request)).toMatchObject({ ok: true });
    await digests.recommend(userId, 'Two');
    const urgent = await digests.recommend(userId, 'Now', { priority: 'medium' });
    expect(urgent).toMatchObject({ notificationsQueued: 1, suppressed: [] });
    const mail = await digests.recommend(userId, 'Mail', { channel: 'email' });
    expect(mail.digestId).not.toBe(first.digestId);
    await sendDigests();
    expect(await digests.digest(first.digestId)).toEqual([]);
    expect(await digests.requestStatus(first.request.notificationId)).toBe('SCHEDULED');

    digests.clock.forward(HOUR);
    await sendDigests();
    const delivery = await digests.arrived(first.digestId);
    expect(delivery).toMatchObject({
      ...{ notificationType: 'DIGEST', priority: 'low', userId, channel: 'push', producer: 'notifications' },
      content: { title: '2 new notifications', body: 'For you: Two\nFor you: One' },
    });
    await sendDigests();
    expect(await digests.pushesTo(token)).toHaveLength(2);
    expect(await digests.waitingIn(first.digestId)).toEqual([]);
    expect((await digests.statusOf(first.request.notificationId)).suppression).toBe('DIGESTED');
    expect(await digests.requestStatus(first.request.notificationId)).toBe('COMPLETED');
  });

  it('of one notification is that notification, with its text, type and producer', async () => {
    const { userId, token } = await digests.aReader();
    const { request, delivery, digestId } = await digests.recommend(userId, 'Alone');
    digests.clock.forward(HOUR);
    await sendDigests();
    const sent = await until(async () => {
      const now = await digests.statusOf(request.notificationId);
      return now.status === 'DELIVERED' && now;
    });
    expect(sent).toMatchObject({ deliveryId: delivery.deliveryId, suppression: null });
    expect(await timelineOf(digests.world, delivery.deliveryId)).toEqual([
      ...['CREATED', 'VALIDATED', 'PREFERENCE_CHECKED', 'RENDERED', 'SUPPRESSED'],
      ...['PREFERENCE_CHECKED', 'QUEUED', 'SENT', 'DELIVERED'],
    ]);
    expect(await digests.pushesTo(token)).toEqual([{ title: 'For you', body: 'Alone' }]);
    expect(await digests.digest(digestId)).toEqual([]);
  });

  it('has the text of its template, and the built-in one where that does not fit', async () => {
    const { userId } = await digests.aReader();
    const { digestId } = await digests.recommend(userId, 'One', { channel: 'email' });
    await digests.recommend(userId, 'Two', { channel: 'email' });
    const body = '{{count}} and {{more}} more: {{summary}}';
    const templateId = await aTemplate(digests.world, 'email', 'DIGEST', { subject: 'Your {{count}}', body });
    const needy = await digests.aReader({ language: 'de' });
    const other = await digests.recommend(needy.userId, 'Eins', { channel: 'email' });
    await digests.recommend(needy.userId, 'Zwei', { channel: 'email' });
    const variables = { absent: { type: 'string', required: true } };
    await aTemplate(digests.world, 'email', 'DIGEST', { language: 'de', body: '{{absent}}', variables });
    digests.clock.forward(HOUR);
    await sendDigests();
    const [sent] = await digests.digest(digestId);
    expect(sent?.content).toMatchObject({
      subject: 'Your 2',
      body: '2 and 0 more: For you: Two\nhttps://example.com/Two\nFor you: One\nhttps://example.com/One',
    });
    expect(await digests.world.notifications.request(admin, digestId, null)).toMatchObject({ templateId });
    expect((await digests.digest(other.digestId))[0]?.content?.subject).toBe('2 neue Benachrichtigungen');
  });

  it.each([
    ['push', 20],
    ['sms', 8],
  ] as const)(
    'by %s has the built-in text where its own would be longer than the provider takes',
    async (channel, count) => {
      const { userId } = await digests.aReader({ language: 'nl', phone: `+3161${Date.now()}`.slice(0, 12) });
      await aTemplate(digests.world, channel, 'DIGEST', {
        ...{ language: 'nl', syntax: 'LIQUID' },
        body: '{% for item in items %}{{ item.body }} {% endfor %}',
      });
      let digestId = '';
      for (let number = 0; number < count; number += 1)
        ({ digestId } = await digests.recommend(userId, `${number} ${'é'.repeat(250)}`, { channel }));
      digests.clock.forward(HOUR);
      await sendDigests();
      const body = await until(async () => {
        const [delivery] = await digests.digest(digestId);
        return delivery && ['SENT', 'DELIVERED'].includes(delivery.status) && delivery.content?.body;
      });
      expect(body).toMatch(/\n\+\d+$/);
      expect(body.length).toBeLessThan(1_000);
    },
  );

  it('lists its notifications in a template that loops over them, each escaped for its place', async () => {
    const { userId } = await digests.aReader({ language: 'pt' });
    const { digestId } = await digests.recommend(userId, '<One>', { channel: 'email' });
    await digests.recommend(userId, 'Two & three', { channel: 'email' });
    await aTemplate(digests.world, 'email', 'DIGEST', {
      language: 'pt',
      syntax: 'LIQUID',
      variables: { items: { type: 'list' } },
      body: '{% for item in items %}[{{ item.title }}: {{ item.body }}]{% endfor %}',
      htmlBody: '{% for item in items %}<li>{{ item.body }}</li>{% endfor %}',
    });
    digests.clock.forward(HOUR);
    await sendDigests();
    const [sent] = await digests.digest(digestId);
    expect(sent?.content).toMatchObject({
      body: '[For you: Two & three][For you: <One>]',
      htmlBody: '<li>Two &amp; three</li><li>&lt;One&gt;</li>',
    });
  });

  it('takes what is scheduled once that is due, and waits for the end of quiet hours', async () => {
    const at = (hours: number) =>
      new Date(digests.clock.now() + hours * HOUR * 1000).toISOString().slice(11, 16);
    const { userId, token } = await digests.aReader();
    const scheduleAt = new Date(digests.clock.now() + 60_000);
    const scheduled = await digests.recommend(userId, 'Scheduled', { scheduleAt });
    expect(scheduled.notificationsQueued).toBe(1);
    digests.clock.forward(61);
    await worker.run('notifications.release');
    expect((await digests.statusOf(scheduled.request.notificationId)).suppression).toBe('DIGESTED');
    const { digestId } = await digests.recommend(userId, 'Other');
    // They go to bed before it is sent.
    await digests.world.notifications.updateSettings(userId, {
      quietHoursStart: at(0),
      quietHoursEnd: at(3),
    });
    digests.clock.forward(HOUR);
    await sendDigests();
    expect(await digests.digest(digestId)).toEqual([]);
    digests.clock.forward(3 * HOUR);
    await sendDigests();
    await digests.arrived(digestId);
    expect(await digests.pushesTo(token)).toHaveLength(1);
  });

  it('goes out one by one for somebody who wants everything at once meanwhile, and no digests', async () => {
    const { userId, token } = await digests.aReader();
    const { notifications } = digests.world;
    const gathered = [
      await digests.recommend(userId, 'One', weekly),
      await digests.recommend(userId, 'Two', weekly),
    ];
    await notifications.updateSettings(userId, { digestFrequency: 'realtime' });
    await notifications.setPreferences(userId, [
      { notificationType: 'DIGEST', channel: 'push', enabled: false },
    ]);
    digests.clock.forward(HOUR);
    await sendDigests();
    await until(async () => (await digests.pushesTo(token)).length === 2);
    for (const { request } of gathered)
      expect((await digests.statusOf(request.notificationId)).suppression).toBeNull();
    expect(await digests.waitingIn(gathered[0]!.digestId)).toEqual([]);
  });

  it('waits where a limit is used up', async () => {
    const { userId } = await digests.aReader();
    for (let n = 0; n < 5; n += 1)
      await digests.recommend(userId, `${n}`, { channel: 'sms', priority: 'medium' });
    const { digestId } = await digests.recommend(userId, 'One', { channel: 'sms' });
    await digests.recommend(userId, 'Two', { channel: 'sms' });
    digests.clock.forward(HOUR);
    await sendDigests();
    expect(await digests.digest(digestId)).toEqual([]);
    const waiting = await digests.waitingIn(digestId);
    expect(waiting).toHaveLength(2);
    expect(waiting[0]!.dueAt.getTime()).toBe(digests.clock.now() + HOUR * 1000);
  });
});
