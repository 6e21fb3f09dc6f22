import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDiskStore, type MediaStore } from '../../src/domains/feed/media/store.js';
import { viewerOf } from './feed-callers.js';
import { type MediaWorld, openMediaWorld, picture, run } from './media-world.js';

let world: MediaWorld;
let disk: MediaStore;
let image: Buffer;
beforeAll(async () => {
  world = await openMediaWorld();
  disk = createDiskStore(world.dir);
  image = await picture(400, 200).png().toBuffer();
});
afterAll(() => world?.close());
afterEach(async () => {
  await world.postgres.query('DELETE FROM media');
});

const stateOf = async (mediaId: string) =>
  (await world.media.findVisible(viewerOf('ann'), [mediaId])).get(mediaId)?.state;
/** Whether the sweeper would enqueue this owner's images again. */
const waits = async (ownerId = 'ann') =>
  (await world.media.findStalled()).some((turn) => turn.ownerId === ownerId && turn.kind === 'image');
const tellings = async (mediaId: string) => (await world.log.readStream(`Media-${mediaId}`)).length;
const keysOf = async (mediaId: string) => {
  const { rows } = await world.postgres.query<{ storage_key: string }>(
    'SELECT storage_key FROM media WHERE media_id = $1',
    [mediaId],
  );
  return (await world.files()).filter((key) => key.includes(rows[0]!.storage_key.split('/')[1]!));
};
const attemptsOf = async (mediaId: string) => {
  const { rows } = await world.postgres.query<{ attempts: number }>(
    'SELECT attempts FROM media WHERE media_id = $1',
    [mediaId],
  );
  return rows[0]!.attempts;
};

/** A store whose operations end a run at the nth, before or after it was done, as if its process had died there. */
function dyingAt(n: number, when: 'before' | 'after'): MediaStore {
  let count = 0;
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    count += 1;
    if (count === n && when === 'before') throw new Error('killed');
    const result = await work();
    if (count === n) throw new Error('killed');
    return result;
  };
  return {
    put: (...args) => step(() => disk.put(...args)),
    get: (key) => step(() => disk.get(key)),
    remove: (keys) => step(() => disk.remove(keys)),
  };
}

describe('processing that is killed', () => {
  // Read, the image, two thumbnails, and the upload's removal.
  const deaths = [...[1, 2, 3, 4, 5].map((n) => [n, 'before'] as const), [5, 'after'] as const];
  it.each(deaths)(
    'at step %i, %s it was done, is finished by the next run, with nothing twice',
    async (n, when) => {
      const mediaId = await world.upload('ann', image);
      await expect(world.process(mediaId, world.mediaWith(dyingAt(n, when)))).rejects.toThrow('killed');
      expect(await stateOf(mediaId)).toBe('processing');
      expect(await waits()).toBe(false);
      await world.age(mediaId, 31);
      expect(await waits()).toBe(true);
      await world.process(mediaId);
      expect(await stateOf(mediaId)).toBe('ready');
      expect((await keysOf(mediaId)).map((key) => key.split('/')[2])).toEqual([
        '150.webp',
        '300.webp',
        'full.png',
      ]);
      expect(await tellings(mediaId)).toBe(1);
      expect(await waits()).toBe(false);
    },
  );

  it('again and again ends as a failure with a reason', async () => {
    const mediaId = await world.upload('ann', image);
    for (let n = 1; n <= 8; n += 1) {
      const dying = world.process(mediaId, world.mediaWith(dyingAt(1, 'before')));
      await expect(dying).rejects.toThrow('killed');
      await world.age(mediaId, 30 * n * n + 1);
    }
    await world.process(mediaId);
    const media = (await world.media.findVisible(viewerOf('ann'), [mediaId])).get(mediaId);
    expect(media).toMatchObject({ state: 'failed', failureReason: 'PROCESSING_FAILED' });
    expect(await keysOf(mediaId)).toEqual([]);
  });

  it('waits longer each time, since a store may be away for an hour', async () => {
    const mediaId = await world.upload('ann', image);
    await world.postgres.query(`UPDATE media SET state = 'processing', attempts = 4 WHERE media_id = $1`, [
      mediaId,
    ]);
    await world.age(mediaId, 30 * 16 - 5);
    expect(await waits()).toBe(false);
    await world.process(mediaId);
    expect(await stateOf(mediaId)).toBe('processing');
    await world.age(mediaId, 30 * 16 + 1);
    expect(await waits()).toBe(true);
  });
});

describe('processing', () => {
  it('runs once, however many workers get the job at once', async () => {
    const mediaId = await world.upload('ann', image);
    await Promise.all(Array.from({ length: 8 }, () => world.process(mediaId)));
    expect(await stateOf(mediaId)).toBe('ready');
    expect(await attemptsOf(mediaId)).toBe(1);
    expect(await tellings(mediaId)).toBe(1);
  });

  it('that was thought dead and comes back changes nothing any more', async () => {
    const mediaId = await world.upload('ann', image);
    const [arrived, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = world.mediaWith({
      async put(...args) {
        arrived.resolve();
        await go.promise;
        return disk.put(...args);
      },
    });
    const late = world.process(mediaId, slow);
    await arrived.promise;
    await world.age(mediaId, 31);
    await world.process(mediaId);
    const before = await keysOf(mediaId);
    go.resolve();
    await late;
    expect(await stateOf(mediaId)).toBe('ready');
    expect(await keysOf(mediaId)).toEqual(before);
    expect(await tellings(mediaId)).toBe(1);
  });

  it('whose worker is stopped in order is given back at once, as if it had not begun', async () => {
    const mediaId = await world.upload('ann', image);
    const stopping = new AbortController();
    const room = world.mediaWith({
      async put(...args) {
        stopping.abort();
        return disk.put(...args);
      },
    });
    await room.process(mediaId, run(stopping.signal));
    expect(await stateOf(mediaId)).toBe('uploaded');
    expect(await attemptsOf(mediaId)).toBe(0);
    await world.process(mediaId);
    expect(await stateOf(mediaId)).toBe('ready');
  });

  it('whose job was lost is found', async () => {
    const mediaId = await world.upload('ann', image);
    expect(world.enqueued.at(-1)).toBe('feed.images ann');
    expect(await waits()).toBe(false);
    await world.age(mediaId, 31);
    expect(await waits()).toBe(true);
  });
  it('that goes on with one upload is not disturbed for the others of the same owner, and other owners are found', async () => {
    const first = await world.upload('ann', image);
    for (const owner of ['ann', 'ben']) await world.upload(owner, image);
    await world.postgres.query('UPDATE media SET touched_at = touched_at - make_interval(secs => 31)');
    await world.postgres.query(
      `UPDATE media SET state = 'processing', attempts = 1, touched_at = now() WHERE media_id = $1`,
      [first],
    );
    expect(await waits('ann')).toBe(false);
    expect(await waits('ben')).toBe(true);
    await world.age(first, 31);
    expect(await waits('ann')).toBe(true);
  });
});
