import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failed } from '../../src/domains/notifications/providers/failure.js';
import { admin, timelineOf, until } from './notification-world.js';
import { accepted, openSuppressionWorld, type SuppressionWorld } from './suppression-world.js';

let world: SuppressionWorld;
beforeAll(async () => {
  world = await openSuppressionWorld();
  world.runSchedules();
  world.startWorker();
});
beforeEach(() => {
  for (const channel of ['email', 'sms'] as const) delete world.answers[channel];
  world.called.length = 0;
});
afterAll(() => world.close());

const bounced = failed('INVALID_ADDRESS', '550 no such user', {
  status: 550,
  removeToken: true,
  addressFault: 'HARD_BOUNCE',
});
const stopped = failed('REJECTED', '21610', { status: 400, addressFault: 'STOP' });
const full = failed('REJECTED', '552 full', { status: 552, addressFault: 'SOFT_BOUNCE' });
const remove = (address: string, channel: 'email' | 'sms' = 'email') =>
  world.notifications.suppressions.remove(admin, { channel, address, note: 'they wrote to us' });
const leftOut = { ok: false, errors: [{ code: 'NOTHING_TO_SEND' }] };

describe('an address', () => {
  it('that bounced is asked for no more, however its case is, until an admin removes it', async () => {
    const reader = await world.aReader();
    world.answers.email = async () => bounced;
    await (await world.send(reader)).becomes('DEAD');
    expect(await world.causeOf(reader.email.toUpperCase())).toBe('HARD_BOUNCE');
    const again = await world.send(reader);
    expect(again.result).toMatchObject(leftOut);
    expect((await again.find())?.suppression).toBe('ADDRESS_SUPPRESSED');
    // Who shares it is left out as well.
    const other = await world.aReader(reader.email.toUpperCase());
    expect((await world.send(other)).result).toMatchObject(leftOut);
    expect(world.called).toHaveLength(1);

    world.answers.email = async () => accepted;
    expect(await remove(reader.email)).toEqual({ ok: true, value: expect.any(String) });
    await (await world.send(reader)).becomes('SENT');
    await (await world.send(other)).becomes('SENT');
    expect(await remove(reader.email)).toEqual({ ok: true, value: null });
  });

  it('is suppressed also for what was queued before', async () => {
    const reader = await world.aReader();
    const scheduled = await world.send(reader, { scheduleAt: new Date(world.clock.now() + 60_000) });
    let later: Awaited<ReturnType<typeof world.send>> | undefined;
    world.answers.email = async ({ deliveryId }) => {
      // The second one waits behind this one in the mailbox.
      later ??= await world.send(reader);
      await world.sendGridSays(deliveryId, 'bounce', { type: 'bounce', sg_message_id: 'm-1' });
      return accepted;
    };
    await (await world.send(reader)).becomes('DEAD');
    const kept = await later!.becomes('SUPPRESSED');
    expect(kept.suppression).toBe('ADDRESS_SUPPRESSED');
    expect((await timelineOf(world, kept.deliveryId)).slice(-2)).toEqual(['QUEUED', 'SUPPRESSED']);
    expect(world.called).toHaveLength(1);
    world.clock.forward(61);
    expect((await scheduled.becomes('SUPPRESSED')).suppression).toBe('ADDRESS_SUPPRESSED');
  });

  it('stays behind when its user changes theirs', async () => {
    const reader = await world.aReader();
    await world.notifications.suppressions.add(admin, { channel: 'email', address: reader.email });
    expect((await world.send(reader)).result).toMatchObject(leftOut);
    await world.notifications.updateSettings(reader.userId, { email: `new-${reader.email}` });
    await (await world.send(reader)).becomes('SENT');
  });

  it('that is suppressed hands on to the fallback channel, known or not when it was sent', async () => {
    const reader = await world.aReader();
    world.answers.email = async () => bounced;
    const first = await world.send(reader, { fallbackChannels: ['sms'] });
    await first.becomes('SENT', 'sms');
    const second = await world.send(reader, { fallbackChannels: ['sms'] });
    expect((await second.becomes('SUPPRESSED')).suppression).toBe('ADDRESS_SUPPRESSED');
    const sms = await second.becomes('SENT', 'sms');
    expect(sms.fallbackForId).toBe((await second.find())!.deliveryId);
    const scheduleAt = new Date(world.clock.now() + 60_000);
    const third = await world.send(reader, { fallbackChannels: ['sms'], scheduleAt });
    world.clock.forward(61);
    await third.becomes('SUPPRESSED');
    await third.becomes('SENT', 'sms');
  });

  it('of who complained gets what they wait for, and nothing else', async () => {
    const reader = await world.aReader();
    const { deliveryId } = await (await world.send(reader)).becomes('SENT');
    await world.sendGridSays(deliveryId, 'spamreport', { email: reader.email });
    expect(await world.causeOf(reader.email)).toBe('COMPLAINT');
    expect((await world.send(reader, { type: 'NEW_FOLLOWER' })).result).toMatchObject(leftOut);
    const reset = await (await world.send(reader, { type: 'PASSWORD_RESET' })).becomes('SENT');
    // A bounce lets nothing pass any more.
    await world.sendGridSays(reset.deliveryId, 'bounce', { type: 'bounce', email: reader.email });
    expect(await world.causeOf(reader.email)).toBe('HARD_BOUNCE');
    expect((await world.send(reader, { type: 'PASSWORD_RESET' })).result).toMatchObject(leftOut);
  });

  it('of who wrote STOP gets no SMS, and mails all the same', async () => {
    const reader = await world.aReader();
    world.answers.sms = async () => stopped;
    await (await world.send(reader, { channel: 'sms' })).becomes('DEAD');
    expect(await world.causeOf(reader.phone, 'sms')).toBe('STOP');
    expect((await world.send(reader, { channel: 'sms', type: 'PASSWORD_RESET' })).result).toMatchObject(
      leftOut,
    );
    await (await world.send(reader)).becomes('SENT');
  });

  it('is suppressed by a STOP as soon as it is written, and by a START no more', async () => {
    const reader = await world.aReader();
    await world.twilioReceives(reader.phone, { Body: ' Stop ' });
    expect(await world.causeOf(reader.phone, 'sms')).toBe('STOP');
    expect((await world.send(reader, { channel: 'sms' })).result).toMatchObject(leftOut);
    await world.twilioReceives(reader.phone, { Body: 'thanks' });
    expect(await world.causeOf(reader.phone, 'sms')).toBe('STOP');
    await world.twilioReceives(reader.phone, { Body: 'Arret', OptOutType: 'START' });
    await (await world.send(reader, { channel: 'sms' })).becomes('SENT');
    // An entry of an admin is not the owner's to end.
    await world.notifications.suppressions.add(admin, { channel: 'sms', address: reader.phone });
    await world.twilioReceives(reader.phone, { Body: 'START' });
    expect(await world.causeOf(reader.phone, 'sms')).toBe('MANUAL');
  });

  it('that bounced before a STOP is open again after a START: who answers has the number', async () => {
    const reader = await world.aReader();
    world.answers.sms = async () => failed('REJECTED', '21614', { status: 400, addressFault: 'HARD_BOUNCE' });
    await (await world.send(reader, { channel: 'sms' })).becomes('DEAD');
    expect(await world.causeOf(reader.phone, 'sms')).toBe('HARD_BOUNCE');
    await world.twilioReceives(reader.phone, { Body: 'STOP' });
    expect(await world.causeOf(reader.phone, 'sms')).toBe('STOP');
    await world.twilioReceives(reader.phone, { Body: 'START' });
    expect(await world.causeOf(reader.phone, 'sms')).toBeUndefined();
  });

  it('that nobody has any more is known by Twilio’s callback', async () => {
    const reader = await world.aReader();
    const { deliveryId } = await (await world.send(reader, { channel: 'sms' })).becomes('SENT');
    await world.twilioSays(deliveryId, 'undelivered', { ErrorCode: '30007', To: reader.phone });
    expect(await world.causeOf(reader.phone, 'sms')).toBeUndefined();
    const next = await (await world.send(reader, { channel: 'sms' })).becomes('SENT');
    await world.twilioSays(next.deliveryId, 'undelivered', { ErrorCode: '30005', To: reader.phone });
    expect(await world.causeOf(reader.phone, 'sms')).toBe('HARD_BOUNCE');
  });

  it('that does not take five messages in a row is suppressed; one that it takes starts anew', async () => {
    const reader = await world.aReader();
    const bounceTimes = async (times: number) => {
      world.answers.email = async () => full;
      for (let i = 0; i < times; i++)
        await (await world.send(reader, { type: 'SECURITY_ALERT' })).becomes('DEAD');
    };
    await bounceTimes(4);
    world.answers.email = async () => ({ kind: 'delivered' });
    await (await world.send(reader, { type: 'SECURITY_ALERT' })).becomes('DELIVERED');
    await bounceTimes(4);
    expect(await world.causeOf(reader.email)).toBeUndefined();
    await bounceTimes(1);
    expect(await world.causeOf(reader.email)).toBe('SOFT_BOUNCES');
    expect(await remove(reader.email)).toEqual({ ok: true, value: expect.any(String) });
    await bounceTimes(4);
    expect(await world.causeOf(reader.email)).toBeUndefined();
    // Those of a month ago do not count.
    world.clock.forward(31 * 86_400);
    await bounceTimes(1);
    expect(await world.causeOf(reader.email)).toBeUndefined();
  });
});

describe('a bounce', () => {
  it('that is reported before the call is answered counts at once, and again after a removal it does not', async () => {
    const reader = await world.aReader();
    const report = { type: 'bounce', sg_message_id: 'm-1', email: reader.email.toUpperCase() };
    world.answers.email = async ({ deliveryId }) => {
      await world.sendGridSays(deliveryId, 'bounce', report);
      expect(await world.causeOf(reader.email)).toBe('HARD_BOUNCE');
      return accepted;
    };
    const { deliveryId } = await (await world.send(reader)).becomes('DEAD');
    const timestamp = Math.floor(world.clock.now() / 1000);
    world.clock.forward(30);
    await remove(reader.email);
    await world.sendGridSays(deliveryId, 'bounce', { ...report, timestamp });
    expect(await world.causeOf(reader.email)).toBeUndefined();
    world.clock.forward(30);
    await world.sendGridSays(deliveryId, 'bounce', report);
    expect(await world.causeOf(reader.email)).toBe('HARD_BOUNCE');
  });

  it('is forgotten by intake everywhere once it is removed', async () => {
    const elsewhere = world.another();
    const reader = await world.aReader();
    await world.notifications.suppressions.add(admin, { channel: 'email', address: reader.email });
    const { rows } = await world.postgres.query(
      'SELECT added_by, note FROM address_suppressions WHERE address = lower($1)',
      [reader.email],
    );
    expect(rows).toEqual([{ added_by: 'root', note: null }]);
    await elsewhere.suppressions.remove(admin, {
      channel: 'email',
      address: reader.email,
      note: 'mistaken',
    });
    const removed = await world.postgres.query(
      `SELECT removed_by, removed_note, removed_at IS NOT NULL AS "isRemoved"
       FROM address_suppressions WHERE address = lower($1)`,
      [reader.email],
    );
    expect(removed.rows).toEqual([{ removed_by: 'root', removed_note: 'mistaken', isRemoved: true }]);
    await until(async () => (await (await world.send(reader)).find())?.status !== 'SUPPRESSED');
  });
});

describe('an admin', () => {
  it('pages through the list, by channel, and by address', async () => {
    await world.postgres.query('DELETE FROM address_suppressions');
    const addresses = ['a@example.com', 'b@example.com', 'c@example.com'];
    for (const address of addresses) {
      world.clock.forward(1);
      await world.notifications.suppressions.add(admin, { channel: 'email', address, note: address });
    }
    world.clock.forward(1);
    await world.notifications.suppressions.add(admin, { channel: 'sms', address: '+15550009999' });
    const page = async (
      limit: number,
      cursor: string | null,
      direction: 'forward' | 'backward' = 'forward',
    ) =>
      world.notifications.suppressions.page(
        { limit, cursor, direction },
        { channel: 'email', address: null },
      );
    const first = await page(2, null);
    expect(first.edges.map(({ node }) => node.note)).toEqual(['c@example.com', 'b@example.com']);
    const second = await page(2, first.pageInfo.endCursor);
    expect(second.edges.map(({ node }) => node.note)).toEqual(['a@example.com']);
    expect(second.pageInfo.hasNextPage).toBe(false);
    const back = await page(2, second.pageInfo.startCursor, 'backward');
    expect(back.edges.map(({ node }) => node.note)).toEqual(['c@example.com', 'b@example.com']);
    const { edges } = await world.notifications.suppressions.page(
      { limit: 1, cursor: null, direction: 'forward' },
      { channel: null, address: null },
    );
    expect(edges).toMatchObject([{ node: { channel: 'sms', cause: 'MANUAL', addedBy: 'root' } }]);
  });

  it('shows what is on it of one user’s mail address and number, newest first', async () => {
    const { suppressions } = world.notifications;
    const settings = { email: 'Dora@example.com', phone: '+15550007777' };
    expect(await world.notifications.updateSettings('dora', settings)).toMatchObject({ ok: true });
    const ofDora = async (direction: 'forward' | 'backward', limit = 10, cursor: string | null = null) => {
      const filter = { channel: null, address: null, userId: 'dora' };
      const { edges, pageInfo } = await suppressions.page({ limit, cursor, direction }, filter);
      return { channels: edges.map(({ node }) => node.channel), ...pageInfo };
    };
    expect((await ofDora('forward')).channels).toEqual([]);
    await suppressions.add(admin, { channel: 'email', address: 'dora@example.com' });
    world.clock.forward(1);
    await suppressions.add(admin, { channel: 'sms', address: '+15550007777' });
    expect((await ofDora('forward')).channels).toEqual(['sms', 'email']);
    const first = await ofDora('forward', 1);
    expect(first).toMatchObject({ channels: ['sms'], hasNextPage: true });
    expect((await ofDora('forward', 1, first.endCursor)).channels).toEqual(['email']);
    expect((await ofDora('backward', 1)).channels).toEqual(['email']);
  });

  it('is refused what cannot be on it', async () => {
    const { suppressions } = world.notifications;
    const refusals = [
      [{ channel: 'push', address: 'token' }, 'CHANNEL_WITHOUT_ADDRESSES', 'channel'],
      [{ channel: 'in_app', address: 'ann' }, 'CHANNEL_WITHOUT_ADDRESSES', 'channel'],
      [{ channel: 'email', address: 'nobody' }, 'EMAIL_INVALID', 'address'],
      [{ channel: 'email', address: '+15551234567' }, 'EMAIL_INVALID', 'address'],
      [{ channel: 'sms', address: '0555' }, 'PHONE_INVALID', 'address'],
      [{ channel: 'sms', address: '+15551234567', note: 'x'.repeat(501) }, 'NOTE_INVALID', 'note'],
      [{ channel: 'sms', address: '+15551234567', note: ' ' }, 'NOTE_INVALID', 'note'],
    ] as const;
    for (const [input, code, field] of refusals) {
      const refusal = { ok: false, errors: [{ code, path: ['input', field] }] };
      expect(await suppressions.add(admin, input)).toMatchObject(refusal);
      expect(await suppressions.remove(admin, { note: 'why', ...input })).toMatchObject(refusal);
    }
  });
});
