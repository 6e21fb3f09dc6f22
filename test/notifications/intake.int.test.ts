import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIFECYCLE_EVENTS } from '../support/lifecycle-events.js';
import {
  aRequest,
  aTemplate,
  aUser,
  caller,
  deliveriesOf,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  timelineOf,
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
  it('has one delivery for each recipient and channel, each with its timeline so far', async () => {
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
    expect(await timelineOf(world, deliveries[0]!.deliveryId)).toEqual([
      'CREATED',
      'VALIDATED',
      'PREFERENCE_CHECKED',
      'RENDERED',
      'QUEUED',
    ]);
    const { rows } = await world.postgres.query<{ number: number }>(
      `SELECT number FROM ${LIFECYCLE_EVENTS} AS e WHERE request_id = $1 ORDER BY number`,
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
