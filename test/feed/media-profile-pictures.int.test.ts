import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { upsertProfile } from '../../src/domains/feed/graph/users.js';
import { sql } from '../../src/domains/feed/media/remove.sql.js';
import { firstIdAt } from '../../src/domains/feed/types.js';
import type { Queryable } from '../../src/platform/postgres/postgres.js';
import { callerOf, viewerOf } from './feed-callers.js';
import { type MediaWorld, openMediaWorld, picture } from './media-world.js';
import { costOf } from './statement-cost.js';

const HOUR_MS = 3_600_000;

let world: MediaWorld;
let image: Buffer;
beforeAll(async () => {
  world = await openMediaWorld();
  image = await picture(20, 20).png().toBuffer();
});
afterAll(() => world?.close());
let [ann, ben] = ['', ''];
let people = 0;
beforeEach(() => {
  people += 1;
  [ann, ben] = [`ann${people}`, `ben${people}`];
});

/** An upload, as the reader's page makes it: its id, and the URL that is saved in the profile. */
async function uploaded(owner: string): Promise<{ mediaId: string; url: string }> {
  const mediaId = await world.upload(owner, image);
  await world.process(mediaId);
  const media = (await world.media.findVisible(viewerOf(owner), [mediaId])).get(mediaId);
  return { mediaId, url: media!.renditions.find(({ name }) => name === '150')?.url ?? media!.url! };
}

const save = (userId: string, avatarUrl?: string | null, postgres: Queryable = world.postgres) =>
  upsertProfile(
    { postgres, authors: { forget: async () => undefined }, clock: world.clock },
    callerOf(userId),
    { displayName: userId, ...(avatarUrl !== undefined && { avatarUrl }) },
  );

/** What the worker does from now until so many hours later; what was marked meanwhile has waited for its turn. */
async function sweep(hoursLater: number): Promise<void> {
  world.clock.ms += hoursLater * HOUR_MS;
  await world.media.sweepUnused();
  await world.postgres.query(
    `UPDATE media SET touched_at = now() - interval '2 hours' WHERE state = 'removing'`,
  );
  await world.media.sweepUnused();
}

/** Whether it is there: its row, and the file behind the URL. */
async function isThere({ mediaId, url }: { mediaId: string; url: string }): Promise<boolean> {
  const { rows } = await world.postgres.query('SELECT FROM media WHERE media_id = $1', [mediaId]);
  const hasFile = (await world.files()).includes(new URL(url).pathname.slice(1));
  expect(hasFile).toBe(rows.length === 1);
  return hasFile;
}

const waitsForLog = () =>
  expect
    .poll(async () => {
      const { rows } = await world.postgres.query<{ count: number }>(
        `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      return rows[0]!.count;
    })
    .toBe(1);

it('a profile keeps the picture that its owner uploaded, while other uploads go after a day', async () => {
  const [mine, unused] = [await uploaded(ann), await uploaded(ann)];
  await save(ann, mine.url);
  await sweep(25);
  expect([await isThere(mine), await isThere(unused)]).toEqual([true, false]);
  await save(ann);
  await sweep(100);
  expect(await isThere(mine)).toBe(true);
});

it('a picture that was saved before pictures were kept is kept, too, whatever its host was called', async () => {
  const mine = await uploaded(ann);
  await world.postgres.query('INSERT INTO users (user_id, display_name, avatar_url) VALUES ($1, $1, $2)', [
    ann,
    mine.url.replace('https://cdn.test', 'http://127.0.0.1:4000/media'),
  ]);
  await sweep(25);
  expect(await isThere(mine)).toBe(true);
});

it('a picture is removed when it is replaced, or taken away, however old it is by then', async () => {
  for (const next of ['https://elsewhere.test/me.jpg', null]) {
    const former = await uploaded(ann);
    await save(ann, former.url);
    await sweep(30 * 24);
    expect(await isThere(former)).toBe(true);
    expect(await save(ann, next)).toMatchObject({ ok: true, value: { avatarUrl: next } });
    await sweep(0);
    expect(await isThere(former)).toBe(false);
  }
});

it('a picture that is replaced within its first day stays an upload until that is over', async () => {
  const [former, next] = [await uploaded(ann), await uploaded(ann)];
  await save(ann, former.url);
  await save(ann, next.url);
  await sweep(23);
  expect(await isThere(former)).toBe(true);
  await save(ann, former.url);
  await save(ann, next.url);
  await sweep(2);
  expect([await isThere(former), await isThere(next)]).toEqual([false, true]);
});

it('a picture that a post shows as well stays when the profile has another', async () => {
  const both = await uploaded(ann);
  await save(ann, both.url);
  const postId = v7();
  await world.postgres.query(
    `INSERT INTO posts (post_id, author_id, content, media_ids, position, created_at)
     SELECT $1, id, '', $3, 1, now() FROM users WHERE user_id = $2`,
    [postId, ann, [both.mediaId]],
  );
  await sweep(25);
  await save(ann, null);
  await sweep(0);
  expect(await isThere(both)).toBe(true);
  await save(ann, both.url);
  await world.postgres.query('DELETE FROM posts WHERE post_id = $1', [postId]);
  await world.media.remove([both.mediaId]);
  expect(await isThere(both)).toBe(true);
});

it("nobody keeps, or removes, another's upload by naming it in their profile", async () => {
  const mine = await uploaded(ann);
  await save(ben, mine.url);
  await save(ann, mine.url);
  await sweep(25);
  await save(ben, null);
  await sweep(0);
  expect(await isThere(mine)).toBe(true);
  await save(ben, mine.url);
  await save(ann, null);
  await sweep(0);
  expect(await isThere(mine)).toBe(false);
});

it('a profile that is saved while its picture is being removed is refused', async () => {
  const mine = await uploaded(ann);
  await save(ann, null);
  let saving: ReturnType<typeof save> | undefined;
  await world.postgres.transaction(async (tx) => {
    await tx.query('SELECT FROM begin_media_removal($1)', [[mine.mediaId]]);
    saving = save(ann, mine.url);
    await waitsForLog();
  });
  expect(await saving).toMatchObject({
    ok: false,
    errors: [{ code: 'AVATAR_URL_INVALID', path: ['input', 'avatarUrl'] }],
  });
});

it('a sweep that begins while a profile is being saved leaves its picture', async () => {
  const mine = await uploaded(ann);
  world.clock.ms += 25 * HOUR_MS;
  let sweeping: Promise<number> | undefined;
  await world.postgres.transaction(async (tx) => {
    await save(ann, mine.url, tx);
    sweeping = world.media.sweepUnused();
    await waitsForLog();
  });
  await sweeping;
  expect(await isThere(mine)).toBe(true);
});

it('a profile whose picture is replaced twice at once keeps the last one alone', async () => {
  const first = await uploaded(ann);
  await save(ann, first.url);
  await sweep(20 * 24);
  const [second, third] = [await uploaded(ann), await uploaded(ann)];
  let savings: ReturnType<typeof save> | undefined;
  await world.postgres.transaction(async (tx) => {
    await save(ann, second.url, tx);
    savings = save(ann, third.url);
    await waitsForLog();
  });
  expect(await savings).toMatchObject({ ok: true, value: { avatarUrl: third.url } });
  await sweep(25);
  expect([await isThere(first), await isThere(second), await isThere(third)]).toEqual([false, false, true]);
});

it('a sweep looks at an upload by indexes, however many people and posts there are', async () => {
  await world.postgres.query(
    `WITH owners AS (
       INSERT INTO users (user_id, display_name, avatar_url)
       SELECT 'owner' || n, 'x', 'https://cdn.test/images/' || md5(n::text) || '/150.webp' FROM generate_series(1, 10000) n
       RETURNING id, user_id, avatar_url
     ), files AS (
       INSERT INTO media (media_id, owner_id, kind, state, content_type, bytes, storage_key)
       SELECT uuidv7(interval '-3 days'), user_id, 'image', 'ready', 'image/png', 1,
         CASE WHEN id % 2 = 0 THEN split_part(avatar_url, '.test/', 2) ELSE 'images/' || md5(user_id) || '/full.webp' END
       FROM owners RETURNING media_id
     )
     INSERT INTO posts (post_id, author_id, content, media_ids, position, created_at)
     SELECT gen_random_uuid(), (SELECT min(id) FROM owners), '', ARRAY[media_id], 1, now() FROM files`,
  );
  for (const table of ['users', 'media', 'posts']) await world.postgres.query(`VACUUM ANALYZE ${table}`);
  const [first, last] = [world.clock.ms - 200 * 24 * HOUR_MS, world.clock.ms].map(firstIdAt);
  const { blocks } = await costOf(world.postgres, sql.unused, [first, last, 100]);
  // Of ten thousand uploads; one that reads the table for each takes millions.
  expect(blocks).toBeLessThan(200_000);
});
