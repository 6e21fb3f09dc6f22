import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createForgetReplaySnapshots } from '../../src/domains/commerce/replay-snapshots.js';
import { messageOutbox } from '../../src/domains/commerce/tasks.js';
import { transferOutbox } from '../../src/domains/commerce/transfer/pending.js';
import { noticeOutbox } from '../../src/domains/feed/engagement/notices/notices.js';
import { createWriteBack } from '../../src/domains/feed/engagement/write-back.js';
import { createFanOutsDone } from '../../src/domains/feed/fan-out/done.js';
import { fanOutOutbox } from '../../src/domains/feed/fan-out/fan-out-task.js';
import { createLinkPreviews } from '../../src/domains/feed/links/index.js';
import { createForgetSignals } from '../../src/domains/feed/ranking/interactions.js';
import { createForgetIds } from '../../src/domains/notifications/intake/dedup.js';
import { createForgetMissedWrites } from '../../src/platform/cache/missed-writes.js';
import { systemClock } from '../../src/platform/clock.js';
import { createForgetCommands } from '../../src/platform/event-log/forget-commands.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import type { OutboxKind } from '../../src/platform/outbox/index.js';
import type { Postgres } from '../../src/platform/postgres/postgres.js';
import { outboxOn } from '../support/outbox.js';
import { DEAD, DUE_THEN, type HeldDatabase, openHeldDatabase, times } from './held-open-world.js';

let held: HeldDatabase;
let postgres: Postgres;
const expectFlat: HeldDatabase['expectFlat'] = (work, wearOut) => held.expectFlat(work, wearOut);

beforeAll(async () => {
  held = await openHeldDatabase('held_open');
  ({ postgres } = held);
}, 120_000);
afterAll(() => held?.close());

/** Rows that were due one after the other, and were done with. */
async function liveAndDie(table: string, rows: string): Promise<void> {
  await postgres.query(`INSERT INTO ${table} ${rows} FROM generate_series(1, ${DEAD}) n`);
  await postgres.query(`DELETE FROM ${table}`);
}

describe('while a transaction is held open, no more blocks are touched by', () => {
  it('a projector’s checkpoint', async () => {
    const { sql } = await import('../../src/platform/projector/projector.sql.js');
    const { sql: reads } = await import('../../src/platform/projector/lag.sql.js');
    const { sql: rebuild } = await import('../../src/platform/projector/rebuild.sql.js');
    let position = 0;
    const move = async () => {
      const { rowCount } = await postgres.query(sql.moveCheckpoint, ['p', position, position + 1]);
      expect(rowCount).toBe(1);
      position += 1;
    };
    await expectFlat(
      async () => {
        await postgres.query(sql.register, ['p', true]);
        await postgres.query(sql.readCheckpoint, ['p']);
        await move();
        await postgres.query(sql.confirmCheckpoint, ['p', position]);
        await postgres.query(reads.readLags);
        await postgres.query(rebuild.holdCheckpoint, ['p']);
      },
      () => times(DEAD, move),
    );
  });

  it('a schedule', async () => {
    const { sql } = await import('../../src/platform/queues/schedules.sql.js');
    const run = '00000000-0000-4000-8000-000000000001';
    const cycle = async () => {
      // Its next time is a millisecond away.
      for (let taken = 0; taken === 0; )
        taken = (await postgres.query(sql.take, [['s'], [1], 5_000, run])).rowCount ?? 0;
      expect((await postgres.query(sql.renew, [run, 's', 5_000])).rowCount).toBe(1);
      expect((await postgres.query(sql.finish, [run, 's'])).rowCount).toBe(1);
    };
    await postgres.query(sql.register, [['s']]);
    await expectFlat(
      async () => {
        await postgres.query(sql.register, [['s']]);
        await postgres.query(sql.take, [['s'], [1], 5_000, run]);
        await postgres.query(sql.renew, [run, 's', 5_000]);
        await postgres.query(sql.finish, [run, 's']);
        await postgres.query(sql.overdue, [['s']]);
      },
      () => times(DEAD / 5, cycle),
    );
  });

  it('the state of the rollups', async () => {
    const { sql } = await import('../../src/domains/notifications/analytics/state.sql.js');
    let at = 0;
    const moveOn = async () => {
      const { rowCount } = await postgres.query(sql.moveOn, [`${at}-0`, `${at + 1}-0`]);
      expect(rowCount).toBe(1);
      at += 1;
    };
    await expectFlat(
      async () => {
        await postgres.query(sql.state);
        await moveOn();
      },
      () => times(DEAD, moveOn),
    );
  });

  it('entries of the outbox that are due, completed, and added', async () => {
    const outbox = outboxOn(postgres);
    const entry = { payload: { streamId: 'Order-o', streamPosition: 1 }, correlationId: 'c' };
    const cycle = async () => {
      await outbox.add(postgres, messageOutbox, [entry]);
      await outbox.complete(messageOutbox, [entry.payload]);
    };
    await expectFlat(
      async () => {
        for (const kind of [messageOutbox, transferOutbox, noticeOutbox, fanOutOutbox])
          await outbox.claim<unknown>(kind as OutboxKind<unknown>, 100);
        entry.payload.streamPosition += 1;
        await cycle();
      },
      async () => {
        for (const { name } of [messageOutbox, transferOutbox, noticeOutbox, fanOutOutbox])
          await liveAndDie(
            'outbox',
            `(key, kind, payload, due_at) SELECT '${name}:gone' || n, '${name}', '{"fromAccountId": "a", "fromOwnerId": "o"}', ${DUE_THEN}`,
          );
      },
    );
  });

  it('transfers of one account and one owner that begin, their turns, and their end', async () => {
    const { sql } = await import('../../src/domains/commerce/transfer/pending.sql.js');
    const ids = uuidV7Ids(systemClock);
    const transfer = (transferId: string) => ({ transferId, fromAccountId: 'hot', ownerId: 'ann' });
    // One stays pending, behind all that come and go.
    await postgres.query('SELECT guard_start_transfer($1, now())', [transfer(ids.next())]);
    const work = async () => {
      const args = transfer(ids.next());
      const { rows } = await postgres.query(
        'SELECT guard_start_transfer($1, now()) AS refusal, guard_close_account(\'{"accountId": "hot"}\') AS closing',
        [args],
      );
      expect(rows).toEqual([{ refusal: null, closing: { refuse: 'TRANSFERS_PENDING' } }]);
      expect((await postgres.query(sql.turnsOf, [[args.transferId]])).rows).toMatchObject([
        { transferId: args.transferId },
      ]);
      await postgres.query('SELECT guard_finish_transfer($1)', [args]);
    };
    await expectFlat(work, () => times(DEAD / 5, work));
  });

  it('previews of links that are due', async () => {
    const links = createLinkPreviews({ postgres, config: { linkPreviewHosts: [], linkPreviewsAMinute: 60 } });
    await expectFlat(
      () => links.findWaiting(),
      () =>
        liveAndDie(
          'link_previews',
          `(post_id, url, due_at) SELECT gen_random_uuid(), 'https://a.test', ${DUE_THEN}`,
        ),
    );
  });

  it('what was counted of a post', async () => {
    const { sql } = await import('../../src/domains/feed/engagement/post-counts.sql.js');
    const post = '00000000-0000-7000-8000-000000000001';
    await postgres.query(
      `WITH author AS (INSERT INTO users (user_id, display_name) VALUES ('ann', 'Ann') RETURNING id)
       INSERT INTO posts (post_id, author_id, content, position, created_at) SELECT $1, id, '', 1, now() FROM author`,
      [post],
    );
    const clock = { now: 0 };
    const writeBack = createWriteBack({ postgres }, 100, () => clock.now);
    const signal = new AbortController().signal;
    const like = (count: number) =>
      postgres.query(
        "INSERT INTO post_count_deltas (post_id, counter, delta) SELECT $1, 'LIKE', 1 FROM generate_series(1, $2::int)",
        [post, count],
      );
    let likes = 0;
    await expectFlat(
      async () => {
        clock.now += 25_000;
        await like(1);
        likes += 1;
        const { rows } = await postgres.query(sql.totals, [[post]]);
        expect(rows[0]!.totals[0]).toBe(likes);
        await writeBack.writeBack(signal);
        expect(await writeBack.countWaiting()).toBe(0);
      },
      () =>
        times(DEAD / 100, async () => {
          await like(100);
          likes += 100;
          await postgres.query(sql.writeBackOne, [post]);
        }),
    );
  });

  it('fan-outs that are unfinished', async () => {
    const done = createFanOutsDone({ postgres });
    await postgres.query(
      "INSERT INTO projector_positions (projector_name, position) VALUES ('feed-fan-out', 0)",
    );
    await expectFlat(
      () => done.upTo(),
      async () => {
        await postgres.query(
          `INSERT INTO fanouts (post_id, author, position) SELECT gen_random_uuid(), 'a', n FROM generate_series(1, ${DEAD}) n`,
        );
        await postgres.query('UPDATE fanouts SET completed_at = now()');
        await postgres.query(
          `UPDATE projector_positions SET position = ${DEAD} WHERE projector_name = 'feed-fan-out'`,
        );
        await done.upTo();
      },
    );
  });

  it('commands, ids, notes of missed writes, snapshots of the past and signals that are forgotten', async () => {
    const deps = { postgres, clock: systemClock };
    const forgets = [
      createForgetCommands(deps),
      createForgetIds(deps),
      createForgetMissedWrites(postgres),
      createForgetReplaySnapshots(deps),
      createForgetSignals(deps),
    ];
    await expectFlat(
      () => Promise.all(forgets.map((forget) => forget(100))),
      async () => {
        await liveAndDie(
          'commands',
          `(command_id, body_hash, result, created_at) SELECT 'c' || n, '', '{}', ${DUE_THEN} - interval '48 hours'`,
        );
        await liveAndDie(
          'notification_ids',
          `(producer, notification_id, request_id, body_hash, response, first_seen)
           SELECT 'p', n, gen_random_uuid(), '', '{}', ${DUE_THEN} - interval '24 hours'`,
        );
        await liveAndDie(
          'missed_redis_writes',
          `(keys, topics, applied_at) SELECT '{}', '{}', ${DUE_THEN} - interval '1 hour'`,
        );
        await liveAndDie(
          'replay_snapshots',
          `(stream_id, view, view_version, at, stream_position, global_position, state, created_at)
           SELECT 's' || n, 'v', 1, now(), 1, n, '', ${DUE_THEN} - interval '30 days'`,
        );
        await liveAndDie(
          'signals',
          `(user_id, author_id, kind, at) SELECT 1, 2, 'TAG', ${DUE_THEN} - interval '30 days'`,
        );
      },
    );
  });
});
