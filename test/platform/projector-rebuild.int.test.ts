import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { requestRebuild } from '../../src/platform/projector/overview.js';
import type { Projector } from '../../src/platform/projector/projector.js';
import { startProjector } from '../commerce/with-commerce.js';
import {
  admin,
  caughtUp,
  expectTallied,
  killSession,
  openProjectorWorld,
  overviewOf,
  type ProjectorWorld,
  rebuildOver,
  rebuilt,
  tally,
  until,
} from './projector-world.js';

let on: ProjectorWorld;

beforeAll(async () => {
  on = await openProjectorWorld();
  for (let n = 0; n < 40; n += 1) await on.count(`Stream-${n}`, ...Array.from({ length: 200 }, (_, i) => i));
});
afterAll(() => on.close());

/** A projector that runs until it is stopped, at the latest when its test ends, however that ends. */
function running(projector: Projector) {
  const runner = startProjector(on, projector);
  onTestFinished(() => runner.stop());
  return runner;
}
/** Something only a rebuild takes away. */
const spoil = () => on.postgres.query('UPDATE tally SET total = total + 7');
const leftovers = async () =>
  (await on.postgres.query(`SELECT nspname FROM pg_namespace WHERE nspname LIKE 'rebuild%'`)).rows;
const sessions = async (name: string): Promise<number> =>
  (
    await on.postgres.query(
      'SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
      [name],
    )
  ).rowCount ?? 0;
/** Counts on, until it is told to stop. */
function keepCounting(): () => Promise<void> {
  let going = true;
  const counting = (async () => {
    for (let n = 0; going; n += 1) await on.count(`Stream-${n % 50}`, 1, 2, 3);
  })();
  return () => {
    going = false;
    return counting;
  };
}

describe('a rebuild', () => {
  it('ends equal to the log while events keep coming, and sends no hint again', async () => {
    const rungFor: number[] = [];
    const runner = running(tally({ onCommit: (positions) => rungFor.push(...positions) }));
    await caughtUp(on, 'tally');
    await spoil();
    const stopCounting = keepCounting();
    const { rebuiltAt } = await rebuilt(on, 'tally');
    await stopCounting();
    await caughtUp(on, 'tally');
    await runner.stop();
    await expectTallied(on);
    expect(rebuiltAt).toBeInstanceOf(Date);
    expect(rungFor).toEqual(Array.from({ length: await on.log.head() }, (_, i) => i + 1));
    expect(await leftovers()).toEqual([]);
  });

  it('shows how far it has come, and at last when it took over', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const runner = running(tally({ check: (position) => (position === 6_000 ? gate : undefined) }));
    await requestRebuild(on.postgres, admin, 'tally');
    const shown = async () => (await runner.metrics.rebuildPosition.get()).values;
    await until(async () =>
      expect(await shown()).toMatchObject([{ labels: { projector: 'tally' }, value: 5_000 }]),
    );
    const { lastPosition, ...building } = await overviewOf(on, 'tally');
    expect(building).toMatchObject({
      state: 'REBUILDING',
      rebuiltAt: null,
      rebuild: {
        requestedBy: 'admin',
        requestedAt: expect.any(Date),
        startedAt: expect.any(Date),
        position: 5_000,
        targetPosition: lastPosition,
      },
    });
    open();
    expect(await rebuildOver(on, 'tally')).toMatchObject({
      state: 'LIVE',
      rebuiltAt: expect.any(Date),
      rebuild: null,
    });
    await until(async () => expect(await shown()).toEqual([]));
    await runner.stop();
  });

  it('whose holder is killed at random points is started anew by the next one, and ends equal', async () => {
    await spoil();
    const stopCounting = keepCounting();
    const runners = [running(tally()), running(tally())];
    for (let round = 0; round < 10; round += 1) {
      await requestRebuild(on.postgres, admin, 'tally');
      await until(async () => expect(await sessions('rebuild tally')).toBe(1));
      for (let turns = Math.random() * 2_000; turns > 0; turns -= 1) await setImmediate();
      await killSession(on, Math.random() < 0.5 ? 'rebuild tally' : 'projector tally');
      if (Math.random() < 0.5) {
        await runners.shift()!.stop();
        runners.push(running(tally()));
      }
    }
    await requestRebuild(on.postgres, admin, 'tally');
    const { lastError } = await rebuildOver(on, 'tally');
    await stopCounting();
    await caughtUp(on, 'tally');
    await Promise.all(runners.map((runner) => runner.stop()));
    await expectTallied(on);
    expect(lastError).toBeNull();
    expect(await leftovers()).toEqual([]);
  });

  it('that loses the connection by which it reads the log is started anew', async () => {
    await spoil();
    const readAll: typeof on.log.readAll = async (after, limit, of) => {
      // Only a rebuild reads so many at once; what it reads ahead fails while the window before is applied.
      if (limit > 1_000 && after > 0 && lost === undefined) {
        lost = new Error('Connection terminated unexpectedly');
        throw lost;
      }
      return on.log.readAll(after, limit, of);
    };
    let lost: Error | undefined;
    const runner = startProjector({ ...on, log: { ...on.log, readAll } }, tally());
    onTestFinished(() => runner.stop());
    const { lastError } = await rebuilt(on, 'tally');
    await caughtUp(on, 'tally');
    await runner.stop();
    await expectTallied(on);
    expect(lost).toBeInstanceOf(Error);
    expect(lastError).toBeNull();
  });

  it('is made by the holder alone', async () => {
    const builders: string[] = [];
    const named = (runner: string) =>
      tally({
        async check(position, tx) {
          if (position % 1_000 !== 0) return;
          const { rows } = await tx.query<{ schema: string }>('SELECT current_schema() AS schema');
          if (rows[0]!.schema !== 'public' && builders.at(-1) !== runner) builders.push(runner);
        },
      });
    const first = running(named('first'));
    await on.count('Stream-1', 1);
    await caughtUp(on, 'tally');
    const second = running(named('second'));
    await rebuilt(on, 'tally');
    await Promise.all([first.stop(), second.stop()]);
    expect(builders).toEqual(['first']);
  });

  it('leaves every name, setting and grant as it was, twice over', async () => {
    const looks = async () =>
      (
        await on.postgres.query(
          `SELECT c.relname, c.reloptions, c.relacl::text, obj_description(c.oid), col_description(c.oid, 2),
             (SELECT array_agg(pg_get_indexdef(indexrelid) ORDER BY indexrelid::regclass::text) FROM pg_index WHERE indrelid = c.oid) AS indexes,
             (SELECT array_agg(conname || ' ' || pg_get_constraintdef(oid) ORDER BY conname) FROM pg_constraint
              WHERE conrelid = c.oid) AS constraints,
             (SELECT array_agg(attname || ' ' || atttypid::regtype || ' ' || attnotnull ORDER BY attnum)
              FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0) AS columns
           FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relname LIKE 'tally%' ORDER BY 1`,
        )
      ).rows;
    const before = await looks();
    expect(JSON.stringify(before)).toContain('high first');
    const runner = running(tally());
    await rebuilt(on, 'tally');
    expect(await looks()).toEqual(before);
    await rebuilt(on, 'tally');
    expect(await looks()).toEqual(before);
    await runner.stop();
  });

  it('that meets an event it cannot apply says which, and leaves the live read model alone', async () => {
    await on.count('Stream-1', ...Array.from({ length: 9 }, () => 1));
    const poison = (await on.log.head()) - 4;
    const first = running(tally());
    await caughtUp(on, 'tally');
    await first.stop();
    const runner = running(
      tally({
        check(position) {
          if (position === poison) throw new Error('indigestible');
        },
      }),
    );
    expect(await rebuilt(on, 'tally')).toMatchObject({
      state: 'LIVE',
      lastError: `rebuild: event ${poison} cannot be applied: indigestible`,
      rebuiltAt: null,
    });
    expect(await leftovers()).toEqual([]);
    await on.count('Stream-1', 1);
    await caughtUp(on, 'tally');
    await runner.stop();
    await expectTallied(on);

    const mended = running(tally());
    expect(await rebuilt(on, 'tally')).toMatchObject({ state: 'LIVE', lastError: null });
    await mended.stop();
    await expectTallied(on);
  });

  it('of a projector that is stalled at an event goes up to that event', async () => {
    await caughtUpOnce();
    await spoil();
    await on.count('Stream-1', 1, 1);
    const poison = await on.log.head();
    let healed = false;
    const runner = running(
      tally({
        check(position) {
          if (position === poison && !healed) throw new Error('indigestible');
        },
      }),
    );
    await until(async () => expect((await overviewOf(on, 'tally')).state).toBe('STALLED'));
    const { state, lastPosition, rebuiltAt, lastError } = await rebuilt(on, 'tally');
    expect({ state, lastPosition, lastError }).toEqual({
      state: 'STALLED',
      lastPosition: poison - 1,
      lastError: `event ${poison} cannot be applied: indigestible`,
    });
    expect(rebuiltAt).toBeInstanceOf(Date);
    healed = true;
    await runner.stop();
    await caughtUpOnce();
    await expectTallied(on);
  });

  it('does not undo what a migration did to the tables meanwhile', async () => {
    for (const [migration, undo] of [
      ['ALTER TABLE tally ADD COLUMN colour TEXT', 'ALTER TABLE tally DROP COLUMN colour'],
      ['CREATE INDEX by_line ON tally_lines (by)', 'DROP INDEX by_line'],
    ] as const) {
      await caughtUpOnce();
      let migrated: Promise<unknown> | undefined;
      const runner = running(
        tally({
          check(position) {
            if (position === 6_000) migrated ??= on.postgres.query(migration);
            return migrated;
          },
        }),
      );
      expect(await rebuilt(on, 'tally')).toMatchObject({
        lastError: 'rebuild: its tables were altered meanwhile',
      });
      await on.postgres.query(undo);
      expect(await rebuilt(on, 'tally')).toMatchObject({ lastError: null });
      await runner.stop();
      await expectTallied(on);
    }
  });

  it('of tables that something else stands on is refused by the database, which is said', async () => {
    await on.postgres.query('CREATE VIEW grand_total AS SELECT sum(total) FROM tally');
    const runner = running(tally());
    const { lastError, state } = await rebuilt(on, 'tally');
    expect(state).toBe('LIVE');
    expect(lastError).toMatch(/^rebuild: cannot drop table .*tally because .*: view grand_total depends on/);
    await on.postgres.query('DROP VIEW grand_total');
    await runner.stop();
    await expectTallied(on);
  });
});

async function caughtUpOnce(): Promise<void> {
  const runner = running(tally());
  await caughtUp(on, 'tally');
  await runner.stop();
}

it('a rebuild is asked for by name, of a projector with tables, and once', async () => {
  const idle = { eventTypes: new Set(['Counted']), apply: async () => undefined };
  const [follower, keeper] = [running({ ...idle, name: 'follower' }), running(tally())];
  await caughtUp(on, 'follower');
  await caughtUp(on, 'tally');
  await Promise.all([follower.stop(), keeper.stop()]);

  const ask = (name: string) => requestRebuild(on.postgres, admin, name);
  const refusal = (code: string) => ({ ok: false, errors: [{ code, path: ['input', 'name'] }] });
  expect(await ask('nobody')).toMatchObject(refusal('PROJECTOR_NOT_FOUND'));
  expect(await ask('no\0body')).toMatchObject(refusal('PROJECTOR_NOT_FOUND'));
  expect(await ask('follower')).toMatchObject(refusal('PROJECTOR_NOT_REBUILDABLE'));
  const requestedAt = async () =>
    (await on.postgres.query('SELECT requested_at FROM projector_rebuilds')).rows[0]?.requested_at;
  expect(await ask('tally')).toMatchObject({ ok: true, value: { state: 'REBUILDING', rebuiltAt: null } });
  const first = await requestedAt();
  expect(await ask('tally')).toMatchObject({ ok: true, value: { state: 'REBUILDING' } });
  expect(await requestedAt()).toEqual(first);
  const runner = running(tally());
  await rebuildOver(on, 'tally');
  await runner.stop();
});
