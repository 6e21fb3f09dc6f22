import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn } from '../support/client.js';
import { graphql } from '../support/generated/gql.js';
import { type Fleet, openFleet } from './chaos-fleet.js';
import { until } from './notification-world.js';

const saveTemplate = graphql(`
  mutation SaveChaosTemplate($input: SaveTemplateInput!) {
    saveTemplate(input: $input) { userErrors { code path } }
  }
`);

const seed = Number(process.env.CHAOS_SEED ?? randomInt(2 ** 31));
const USERS = 40;
const WRITERS = 6;
const CHAOS_MS = 25_000;
/** Nobody waits for any of these longer, whatever happened. */
const SETTLED_WITHIN_MS = 60_000;
const TYPES = ['PASSWORD_RESET', 'SECURITY_ALERT', 'VERIFICATION_CODE'];
const PRIORITIES = ['high', 'medium', 'low'];

let fleet: Fleet;
let authorization: string;

beforeAll(async () => {
  fleet = await openFleet();
  ({ authorization } = await signIn(fleet.apis[0].url, 'shop', ['user', 'producer']));
  const admin = await signIn(fleet.apis[0].url, 'root', ['user', 'admin']);
  await admin.run(saveTemplate, {
    input: { templateId: 'chaos', notificationType: 'CHAOS', channel: 'PUSH', body: 'Hello {{name}}' },
  });
  await fleet.postgres.query(
    `INSERT INTO user_devices (user_id, device_id, platform, device_token)
     SELECT 'user-' || n, 'phone', 'ios', md5(n::text) FROM generate_series(0, $1 - 1) AS n`,
    [USERS],
  );
}, 120_000);
afterAll(() => fleet?.close());

/** Sends under one id until an api answers, as a producer should; answers whether it was accepted. */
async function sendUntilAnswered(body: { notification_id: string }, isOver: () => boolean): Promise<boolean> {
  for (let attempt = 0; ; attempt += 1) {
    const { url } = fleet.apis[attempt % 2]!;
    const answer = await fetch(`${url}/api/v1/notifications`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    }).catch(() => undefined);
    if (answer?.status === 202) return true;
    if (answer && answer.status < 500) throw new Error(`${answer.status}: ${await answer.text()}`);
    // What was never answered may or may not have been accepted: it is not counted.
    if (isOver() && attempt > 40) return false;
    await pause(50);
  }
}

/** Random notifications, one after the other, until it is stopped; the ids of those that were accepted. */
async function write(writer: number, isOver: () => boolean): Promise<string[]> {
  const accepted: string[] = [];
  const draw = fc.sample(fc.nat(1_000), { numRuns: 3_000, seed: seed + writer });
  for (let n = 0; !isOver(); n += 3) {
    const [user, type, priority] = [0, 1, 2].map((at) => draw[(n + at) % draw.length]!);
    const notification_id = randomUUID();
    const isAccepted = await sendUntilAnswered(
      {
        notification_id,
        type: TYPES[type! % TYPES.length]!,
        priority: PRIORITIES[priority! % PRIORITIES.length]!,
        template_id: 'chaos',
        recipients: [
          { user_id: `user-${user! % USERS}`, channels: ['push'], variables: { name: `${writer}-${n}` } },
        ],
        ...(n % 30 === 0 && { expires_at: new Date(Date.now() + 3_000).toISOString() }),
      } as { notification_id: string },
      isOver,
    );
    if (isAccepted) accepted.push(notification_id);
    // The sandbox keeps 10,000 messages.
    await pause(40);
  }
  return accepted;
}

async function countOpen(): Promise<number> {
  const { rows } = await fleet.postgres.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM deliveries WHERE status IN ('QUEUED', 'RETRYING', 'SCHEDULED', 'SENT')`,
  );
  return rows[0]!.open;
}

/** Whether a delivery's timeline says that a call may have had its effect before it was made again. */
const UNSURE = `EXISTS (SELECT FROM delivery_events e WHERE e.delivery_id = d.delivery_id
  AND (e.detail ? 'outcome_unknown' OR e.detail ? 'taken_over'))`;

describe('a fleet in trouble', () => {
  it(`loses no accepted notification, and repeats only calls whose outcome nobody knew (seed ${seed})`, async () => {
    let isOver = false;
    const writing = Promise.all(Array.from({ length: WRITERS }, (_, n) => write(n, () => isOver)));
    const names = Object.keys(fleet.faults) as (keyof Fleet['faults'])[];
    const order = fc
      .sample(fc.shuffledSubarray(names, { minLength: names.length }), { numRuns: 3, seed })
      .flat();
    const chaosEnds = Date.now() + CHAOS_MS;
    const happened: string[] = [];
    for (const name of order) {
      if (Date.now() > chaosEnds && happened.length >= names.length) break;
      await fleet.faults[name]();
      happened.push(name);
      await pause(500);
    }
    isOver = true;
    const accepted = new Set((await writing).flat());
    expect(accepted.size).toBeGreaterThan(200);

    await until(async () => {
      // The longest backoff is minutes: time is wound on for what waits for its next attempt.
      await fleet.postgres.query(
        `UPDATE deliveries SET next_retry_at = now() - interval '3 s' WHERE status = 'RETRYING'`,
      );
      return (await countOpen()) === 0;
    }, SETTLED_WITHIN_MS);

    const { rows } = await fleet.postgres.query<Ended>(
      `SELECT d.delivery_id AS "deliveryId", d.notification_id AS "notificationId", d.status, ${UNSURE} AS unsure
       FROM deliveries d`,
    );
    const received = await fleet.trial.received();
    expect(received.length).toBeLessThan(10_000);
    const arrivals = Map.groupBy(received, ({ deliveryId }) => deliveryId);
    const times = ({ deliveryId }: Ended): number => arrivals.get(deliveryId)?.length ?? 0;
    const stored = new Set(rows.map(({ notificationId }) => notificationId));
    expect([...accepted].filter((id) => !stored.has(id))).toEqual([]);
    expect(rows.filter(({ status }) => !['DELIVERED', 'DEAD', 'EXPIRED'].includes(status))).toEqual([]);
    expect(rows.filter((one) => one.status === 'DELIVERED' && times(one) === 0)).toEqual([]);
    expect(rows.filter((one) => times(one) > 1 && !one.unsure)).toEqual([]);
    const doubled = rows.filter((one) => times(one) > 1).length;
    process.stderr.write(
      `chaos: ${accepted.size} accepted, ${rows.length} stored, 0 lost, ${doubled} sent twice; ${happened.join(', ')}\n`,
    );
  }, 180_000);
});

interface Ended {
  readonly deliveryId: string;
  readonly notificationId: string;
  readonly status: string;
  readonly unsure: boolean;
}
