import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aRequest,
  aTemplate,
  aUser,
  caller,
  deliveriesOf,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  storyOf,
  unique,
} from './notification-world.js';
import { HeldClock } from './with-sandbox.js';

let world: NotificationWorld;
let clock: HeldClock;
let templateId: string;
const type = 'ORDER_SHIPPED';

beforeAll(async () => {
  clock = new HeldClock();
  world = await openNotificationWorld(clock);
  templateId = await aTemplate(world, 'push', type, { title: 'On its way' });
  await aTemplate(world, 'email', type, { subject: 'Shipped' });
  await aTemplate(world, 'sms', type);
});
afterAll(() => world.close());

const send = (request: Parameters<typeof world.notifications.send>[1], by = shop) =>
  world.notifications.send(by, request);
const stored = async () =>
  (await world.postgres.query<{ n: number }>('SELECT count(*)::int AS n FROM notification_requests')).rows[0]!
    .n;

describe('an accepted request', () => {
  it('has one delivery for each recipient and channel, each with its story so far', async () => {
    const { userId } = await aUser(world);
    const request = aRequest({ templateId, recipients: [{ userId, variables: { name: 'Ann' } }] });
    const result = await send(request);
    expect(result).toMatchObject({
      ok: true,
      value: { status: 'accepted', notificationsQueued: 3, suppressed: [] },
    });
    const deliveries = await deliveriesOf(world, request.notificationId);
    expect(deliveries.map((one) => [one.channel, one.status, one.content?.body])).toEqual([
      ['push', 'QUEUED', 'Hello Ann'],
      ['email', 'QUEUED', 'Hello Ann'],
      ['sms', 'QUEUED', 'Hello Ann'],
    ]);
    expect(await storyOf(world, deliveries[0]!.deliveryId)).toEqual([
      'CREATED',
      'VALIDATED',
      'PREFERENCE_CHECKED',
      'RENDERED',
      'QUEUED',
    ]);
    const { rows } = await world.postgres.query<{ number: number }>(
      'SELECT number FROM delivery_events WHERE request_id = $1 ORDER BY number',
      [deliveries[0]!.requestId],
    );
    expect(rows.map((row) => row.number)).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
  });

  it('answers its first result to the same id and body, also at once, and stores it once', async () => {
    const { userId } = await aUser(world);
    const request = aRequest({ templateId, recipients: [{ userId, variables: { name: 'Ann', a: 1 } }] });
    const again = { ...request, recipients: [{ variables: { a: 1, name: 'Ann' }, userId }] };
    const before = await stored();
    const results = await Promise.all([request, again, request, again, request].map((one) => send(one)));
    results.push(await send(request));
    const ids = results.map((result) => result.ok && result.value.requestId);
    expect(new Set(ids).size).toBe(1);
    expect(results[0]).toMatchObject({ ok: true });
    expect(await stored()).toBe(before + 1);
  });

  it('refuses another body under its id for 24 hours, and takes it afterwards', async () => {
    const { userId } = await aUser(world);
    const request = aRequest({ templateId, recipients: [{ userId }] });
    const other = { ...request, priority: 'high' as const };
    expect(await send(request)).toMatchObject({ ok: true });
    expect(await send(other)).toMatchObject({ ok: false, errors: [{ code: 'NOTIFICATION_ID_REUSED' }] });
    expect(await send(other, caller('bakery', 'producer'))).toMatchObject({ ok: true });
    clock.forward(86_401);
    expect(await send(other)).toMatchObject({ ok: true });
  });

  it('is still answered to a repeat that comes after its expiry', async () => {
    const { userId } = await aUser(world);
    const expiresAt = new Date(clock.now() + 60_000);
    const request = aRequest({ templateId, recipients: [{ userId }], expiresAt });
    const first = await send(request);
    clock.forward(61);
    expect(await send(request)).toEqual(first);
  });
});

describe('a recipient is left out', () => {
  it('on a channel that he switched off', async () => {
    const { userId } = await aUser(world);
    await world.notifications.setPreferences(userId, [
      { notificationType: type, channel: 'sms', enabled: false },
    ]);
    const request = aRequest({ templateId, recipients: [{ userId }] });
    expect(await send(request)).toMatchObject({
      value: { notificationsQueued: 2, suppressed: [{ userId, channel: 'sms', reason: 'CHANNEL_DISABLED' }] },
    });
    const sms = (await deliveriesOf(world, request.notificationId)).find((one) => one.channel === 'sms')!;
    expect(sms).toMatchObject({ status: 'SUPPRESSED', suppression: 'CHANNEL_DISABLED', content: null });
    expect(await storyOf(world, sms.deliveryId)).toEqual([
      'CREATED',
      'VALIDATED',
      'PREFERENCE_CHECKED',
      'SUPPRESSED',
    ]);
  });

  it('in his quiet hours, unless the type may wake him', async () => {
    const { userId } = await aUser(world);
    const quiet = { quietHoursStart: '00:00', quietHoursEnd: '23:59' };
    await world.notifications.updateSettings(userId, quiet);
    const urgent = await aTemplate(world, 'push', 'SECURITY_ALERT');
    const other = await aUser(world);
    const recipients = [
      { userId, channels: ['push' as const] },
      { userId: other.userId, channels: ['push' as const] },
    ];
    expect(await send(aRequest({ templateId, recipients }))).toMatchObject({
      value: { notificationsQueued: 1, suppressed: [{ userId, reason: 'QUIET_HOURS' }] },
    });
    expect(await send(aRequest({ templateId: urgent, type: 'SECURITY_ALERT', recipients }))).toMatchObject({
      value: { notificationsQueued: 2, suppressed: [] },
    });
  });

  it('where he has no address, a required variable is missing, or he is named twice', async () => {
    const needy = await aTemplate(world, 'push', 'NEEDY', {
      variables: { code: { type: 'string', required: true } },
    });
    const [ann, bob] = await Promise.all([aUser(world, 'ann'), aUser(world, 'bob')]);
    const nobody = unique('nobody');
    const channels = ['push' as const];
    const result = await send(
      aRequest({
        templateId: needy,
        recipients: [
          { userId: ann.userId, channels, variables: { code: 'x' } },
          { userId: bob.userId, channels },
          { userId: nobody, channels, variables: { code: 'x' } },
          { userId: ann.userId, channels, variables: { code: 'y' } },
        ],
      }),
    );
    expect(result).toMatchObject({
      value: {
        notificationsQueued: 1,
        suppressed: [
          { userId: bob.userId, reason: 'MISSING_VARIABLE', detail: expect.stringMatching(`code.*${needy}`) },
          { userId: nobody, reason: 'NO_ADDRESS' },
          { userId: ann.userId, reason: 'DUPLICATE' },
        ],
      },
    });
  });

  it('from marketing that he did not opt in to', async () => {
    const marketing = await aTemplate(world, 'push', 'MARKETING_CAMPAIGN');
    const { userId } = await aUser(world);
    await world.notifications.updateSettings(userId, { marketingOptIn: false });
    const result = await send(
      aRequest({
        templateId: marketing,
        type: 'MARKETING_CAMPAIGN',
        recipients: [{ userId, channels: ['push'] }],
      }),
    );
    expect(result).toMatchObject({ ok: false, errors: [{ code: 'NOTHING_TO_SEND' }] });
  });
});

describe('a request of which everybody is left out', () => {
  it('leaves a trace: who was left out on which channel, and why', async () => {
    const { userId } = await aUser(world);
    const off = { notificationType: 'ORDER_SHIPPED', channel: 'push' as const, enabled: false };
    await world.notifications.setPreferences(userId, [off]);
    const recipients = [
      { userId, channels: ['push' as const] },
      { userId: unique('stranger'), channels: ['email' as const] },
    ];
    const request = aRequest({ templateId, recipients });
    const refused = { ok: false, errors: [{ code: 'NOTHING_TO_SEND' }] };
    expect(await send(request)).toMatchObject(refused);
    const found = await world.notifications.request(shop, request.notificationId, null);
    expect(found).toMatchObject({ status: 'COMPLETED', producer: 'shop' });
    const deliveries = await deliveriesOf(world, request.notificationId);
    expect(deliveries.map(({ status, suppression }) => [status, suppression])).toEqual([
      ['SUPPRESSED', 'CHANNEL_DISABLED'],
      ['SUPPRESSED', 'NO_ADDRESS'],
    ]);
    expect(await storyOf(world, deliveries[0]!.deliveryId)).toEqual([
      'CREATED',
      'VALIDATED',
      'PREFERENCE_CHECKED',
      'SUPPRESSED',
    ]);
    expect(await world.notifications.request(caller('other', 'producer'), request.notificationId, null)).toBe(
      null,
    );
  });

  it('leaves one trace, however often it is repeated, and its id free', async () => {
    const { userId } = await aUser(world);
    const preference = (enabled: boolean) =>
      world.notifications.setPreferences(userId, [
        { notificationType: 'ORDER_SHIPPED', channel: 'push', enabled },
      ]);
    const request = aRequest({ templateId, recipients: [{ userId, channels: ['push'] }] });
    await preference(false);
    for (let call = 0; call < 3; call += 1) expect((await send(request)).ok).toBe(false);
    const count = async () =>
      (
        await world.postgres.query('SELECT FROM notification_requests WHERE notification_id = $1', [
          request.notificationId,
        ])
      ).rows.length;
    expect(await count()).toBe(1);
    await preference(true);
    expect(await send(request)).toMatchObject({ ok: true, value: { notificationsQueued: 1 } });
    expect(await count()).toBe(2);
    const newest = await deliveriesOf(world, request.notificationId);
    expect(newest.some(({ status }) => status === 'QUEUED')).toBe(true);
  });

  it('is not what is found under its id where one was accepted at the same time', async () => {
    const { userId } = await aUser(world);
    const notificationId = unique('both');
    const of = (recipient: string) =>
      aRequest({ notificationId, templateId, recipients: [{ userId: recipient, channels: ['push'] }] });
    expect((await send(of(unique('stranger')))).ok).toBe(false);
    const trace = await world.notifications.request(shop, notificationId, null);
    expect((await send(of(userId))).ok).toBe(true);
    await world.postgres.query(
      "UPDATE notification_requests SET created_at = created_at + interval '1 s' WHERE request_id = $1",
      [trace!.requestId],
    );
    const found = await world.notifications.request(shop, notificationId, null);
    expect(found?.requestId).not.toBe(trace!.requestId);
  });

  it('does not hide an earlier request of its id', async () => {
    const { userId } = await aUser(world);
    const notificationId = unique('reused');
    const recipients = [{ userId, channels: ['push' as const] }];
    expect((await send(aRequest({ notificationId, templateId, recipients }))).ok).toBe(true);
    const first = await world.notifications.request(shop, notificationId, null);
    await world.postgres.query('DELETE FROM notification_ids WHERE notification_id = $1', [notificationId]);
    const nobody = [{ userId: unique('stranger'), channels: ['email' as const] }];
    expect((await send(aRequest({ notificationId, templateId, recipients: nobody }))).ok).toBe(false);
    expect(await world.notifications.request(shop, notificationId, null)).toEqual(first);
  });
});

describe('bad input', () => {
  it('is answered with every fault and its path, and nothing of it is stored', async () => {
    const before = await stored();
    const result = await send({
      notificationId: 'n'.repeat(65),
      type: '',
      templateId,
      expiresAt: new Date(clock.now() - 1),
      recipients: [
        { userId: 'ok' },
        { userId: '', channels: [], variables: { when: new Date(), text: 'nul \0' } },
        { userId: 'big', variables: { text: 'x'.repeat(70_000) } },
      ],
    });
    expect(result.ok ? [] : result.errors.map(({ code, path }) => `${code} ${path?.join('.')}`)).toEqual([
      'ID_INVALID input.notificationId',
      'TYPE_INVALID input.type',
      'EXPIRES_IN_PAST input.expiresAt',
      'ID_INVALID input.recipients.1.userId',
      'NO_CHANNELS input.recipients.1.channels',
      'VARIABLE_INVALID input.recipients.1.variables.when',
      'VARIABLE_INVALID input.recipients.1.variables.text',
      'VARIABLES_TOO_LARGE input.recipients.2.variables',
    ]);
    expect(await stored()).toBe(before);
  });

  it.each([
    ['no recipients', 0, 'NO_RECIPIENTS'],
    ['1,001 recipients', 1_001, 'TOO_MANY_RECIPIENTS'],
  ])('with %s is refused', async (_, count, code) => {
    const recipients = Array.from({ length: count }, (_, index) => ({ userId: `u${index}` }));
    expect(await send(aRequest({ templateId, recipients }))).toMatchObject({ ok: false, errors: [{ code }] });
  });

  it('names a template that does not exist', async () => {
    const { userId } = await aUser(world);
    const result = await send(aRequest({ templateId: 'no-such-template', recipients: [{ userId }] }));
    expect(result).toMatchObject({
      ok: false,
      errors: [{ code: 'TEMPLATE_NOT_FOUND', message: expect.stringContaining('no-such-template') }],
    });
  });

  it('with variables of the wrong type is refused as a whole', async () => {
    const counted = await aTemplate(world, 'push', 'COUNTED', { variables: { n: { type: 'number' } } });
    const [ann, bob] = await Promise.all([aUser(world), aUser(world)]);
    const before = await stored();
    const result = await send(
      aRequest({
        templateId: counted,
        recipients: [
          { userId: ann.userId, channels: ['push'], variables: { n: 1 } },
          { userId: bob.userId, channels: ['push'], variables: { n: 'one' } },
        ],
      }),
    );
    expect(result).toMatchObject({
      ok: false,
      errors: [{ code: 'VARIABLE_TYPE', path: ['input', 'recipients', '1', 'variables', 'n'] }],
    });
    expect(await stored()).toBe(before);
  });
});

describe('1,000 recipients', () => {
  it('cost as many statements as one', async () => {
    const users = await Promise.all(Array.from({ length: 21 }, () => aUser(world)));
    const toAll = users.slice(1).map(({ userId }) => userId);
    const ghosts = Array.from({ length: 980 }, (_, index) => `ghost-${index}`);
    // The templates are in memory from here on.
    await send(aRequest({ templateId, recipients: [{ userId: 'somebody' }] }));
    const ofOne = await countStatements([users[0]!.userId]);
    expect(ofOne).toMatchObject({ value: { notificationsQueued: 1 } });
    const ofAll = await countStatements([...toAll, ...ghosts]);
    expect(ofAll).toMatchObject({ value: { notificationsQueued: 20 } });
    expect(ofAll.statements).toBe(ofOne.statements);
  });

  /** Sends to users whose profiles nobody has looked at yet. */
  async function countStatements(userIds: readonly string[]) {
    let statements = 0;
    const query = world.postgres.query;
    Object.assign(world.postgres, {
      query: (...args: Parameters<typeof query>) => {
        statements += 1;
        return query(...args);
      },
    });
    const recipients = userIds.map((userId) => ({ userId, channels: ['push' as const] }));
    const result = await send(aRequest({ templateId, recipients }));
    Object.assign(world.postgres, { query });
    return { ...result, statements };
  }
});
