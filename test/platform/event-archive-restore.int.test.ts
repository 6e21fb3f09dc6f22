import { describe, expect, it } from 'vitest';
import { restoreEvents } from '../../src/platform/event-log/archive/restore.js';
import {
  archiveAll,
  expectSameReads,
  FAR,
  inPostgres,
  killedAt,
  logWith,
  openArchiveWorld,
  tablesOfEvents,
} from './event-archive-world.js';
import { readWhole } from './log-partitions.js';

describe('restoring', () => {
  it('brings back the partitions from a position on, also after it was killed, and they can be archived again', async () => {
    const { postgres, store, before, log, random } = await openArchiveWorld();
    await archiveAll({ postgres, store });
    let at = 0;
    for (let done = false; !done; ) {
      at += 1;
      const mortal = killedAt(at, 'after', { postgres, store });
      await restoreEvents({ ...mortal, firstPauseMs: 1 }, 30).catch((error: Error) =>
        expect(error.message).toContain('killed'),
      );
      done = !mortal.isDead();
      expect((await readWhole(log)).events).toEqual(before.events);
    }
    expect(await inPostgres(postgres)).toEqual([22, 61]);
    await expectSameReads(log, postgres, before, random);
    expect(await restoreEvents({ postgres, store }, 1)).toBe(2);
    expect(await inPostgres(postgres)).toEqual([1, 21, 22, 61]);
    await expectSameReads(logWith(postgres, undefined), postgres, before, random);
    await expect(postgres.query('DELETE FROM events_from_1')).rejects.toThrow('is append-only');
    await archiveAll({ postgres, store });
    expect(await inPostgres(postgres)).toEqual([61]);
    await expectSameReads(log, postgres, before, random);
  });

  it('brings a partition back whose objects are in an order that is not known, and archives it in its own', async () => {
    const { postgres, store, before, log, random } = await openArchiveWorld();
    await archiveAll({ postgres, store });
    await postgres.query("UPDATE event_partitions SET archive_order = 'en-US'");
    await restoreEvents({ postgres, store }, 1);
    await archiveAll({ postgres, store });
    expect(await inPostgres(postgres)).toEqual([61]);
    await expectSameReads(log, postgres, before, random);
  });

  it('drops what a run has left of partitions that are not restored', async () => {
    const { postgres, store } = await openArchiveWorld();
    await archiveAll({ postgres, store });
    let gets = 0;
    const failing = {
      ...store,
      async get(key: string) {
        gets += 1;
        if (gets > 3) throw new Error('503');
        return store.get(key);
      },
    };
    await expect(restoreEvents({ postgres, store: failing, firstPauseMs: 1 }, 30)).rejects.toThrow('503');
    expect(await tablesOfEvents(postgres)).toEqual(['events_from_61', 'events_restored_from_22']);
    const lines: string[] = [];
    expect(await restoreEvents({ postgres, store, say: (line) => lines.push(line) }, FAR)).toBe(0);
    expect(lines).toEqual(['events_restored_from_22, which an earlier run has left, is dropped']);
    expect(await tablesOfEvents(postgres)).toEqual(['events_from_61']);
  });

  it('by two runs at the same time brings a partition back once, and whole', async () => {
    const { postgres, store, before, log, random } = await openArchiveWorld();
    await archiveAll({ postgres, store });
    await Promise.allSettled([1, 2, 3].map(() => restoreEvents({ postgres, store, firstPauseMs: 1 }, 30)));
    await restoreEvents({ postgres, store }, 30);
    expect(await inPostgres(postgres)).toEqual([22, 61]);
    await expectSameReads(log, postgres, before, random);
  });
});
