import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteComment } from '../../src/domains/feed/engagement/comment.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { commenting } from './comments-world.js';
import { callerOf, type EngagementWorld, openEngagementWorld } from './engagement-world.js';

let world: EngagementWorld;
let post: string;
let on: ReturnType<typeof commenting>;
beforeAll(async () => {
  world = await openEngagementWorld();
  await world.users('ann', 'ben', 'cat', 'dan', 'eve');
});
beforeEach(async () => {
  post = await world.post('ann');
  on = commenting(world, post);
});
afterAll(() => world.close());

describe('deleting a comment', () => {
  it('takes what answers it along, and counts exactly what is left', async () => {
    const first = await on.added('ben', 'first');
    const reply = await on.added('cat', 'reply', first);
    await on.added('ben', 'deeper', reply);
    const second = await on.added('cat', 'second');
    await on.remove('cat', reply);
    expect(await on.commentCount()).toBe(2);
    await Promise.all([on.remove('ben', first), on.remove('ben', first)]);
    expect(await on.commentCount()).toBe(1);
    expect(await on.read('dan', 'posts', post)).toEqual(['second']);
    expect((await world.engagement.findComments(null, [first, second])).size).toBe(1);
    const events = await world.log.readStream(`Post-${post}`);
    expect(events.filter((event) => event.type === 'CommentDeleted')).toHaveLength(2);
  });

  it('of a long conversation goes in several steps, deepest first, each of which counts exactly', async () => {
    const root = await on.added('ben', 'root');
    for (const answer of ['a', 'b', 'c']) {
      const reply = await on.added('cat', answer, root);
      for (let i = 0; i < 3; i += 1) await on.added('dan', `${answer}${i}`, reply);
    }
    const deps = { ...world, counts: world.engagement.counts, ids: uuidV7Ids(systemClock) };
    const seen: (number | undefined)[] = [];
    const log = {
      append: async (command: Parameters<typeof world.log.append>[0]) => {
        const result = await world.log.append(command);
        await world.engagement.counts.publish([post]);
        seen.push(await on.commentCount());
        expect(await on.commentCount()).toBe((await world.countRows(post)).comments);
        return result;
      },
    };
    expect(await deleteComment({ ...deps, log }, callerOf('ben'), root, 5)).toEqual({
      ok: true,
      value: post,
    });
    expect(seen).toEqual([13, 8, 3, 1, 0]);
    expect(await on.read('dan', 'posts', post)).toEqual([]);
  });

  it('of a long conversation takes along what is answered meanwhile, and leaves nobody’s answer hanging', async () => {
    const root = await on.added('ben', 'root');
    const reply = await on.added('cat', 'reply', root);
    const answers: string[] = [];
    for (let i = 0; i < 8; i += 1) answers.push(await on.added('dan', String(i), reply));
    const hanging = `SELECT content FROM comments c WHERE post_id = $1 AND deleted_at IS NULL AND EXISTS (
      SELECT FROM comments WHERE comment_id = c.reply_to_id AND deleted_at IS NOT NULL)`;
    let late = 0;
    const log = {
      append: async (command: Parameters<typeof world.log.append>[0]) => {
        if (command.inlineProjection?.name === 'delete_replies' && late < 3) {
          late += 1;
          await on.added('cat', `late ${late}`, late === 2 ? reply : answers.at(-1)!);
        }
        const result = await world.log.append(command);
        expect((await world.postgres.query(hanging, [post])).rows).toEqual([]);
        return result;
      },
    };
    const deps = { ...world, log, counts: world.engagement.counts, ids: uuidV7Ids(systemClock) };
    expect(await deleteComment(deps, callerOf('ben'), root, 3)).toEqual({ ok: true, value: post });
    expect(late).toBe(3);
    expect(await on.read('dan', 'posts', post)).toEqual([]);
    expect(await on.commentCount()).toBe(0);
    expect((await world.countRows(post)).comments).toBe(0);
  });

  it('twice at once, of a long conversation, counts each comment once', async () => {
    const root = await on.added('ben', 'root');
    for (let i = 0; i < 20; i += 1) await on.added('cat', String(i), root);
    const deps = { ...world, counts: world.engagement.counts, ids: uuidV7Ids(systemClock) };
    const deletions = [1, 2, 3].map(() => deleteComment(deps, callerOf('ben'), root, 4));
    expect(await Promise.all(deletions)).toEqual(deletions.map(() => ({ ok: true, value: post })));
    expect(await on.commentCount()).toBe(0);
  });

  it.each([
    ['side by side', '1'],
    ['each under the one before', 'n'],
  ])('of 5,000 answers %s goes in twelve commands', async (_, parent) => {
    const prefix = randomUUID().slice(0, 24);
    const named = (n: string) => `('${prefix}' || lpad((${n})::text, 12, '0'))::uuid`;
    await world.postgres.query(
      `INSERT INTO comments (comment_id, post_id, author_id, reply_to_id, content, created_at)
       SELECT ${named('n + 1')}, $1, u.id, CASE WHEN n > 0 THEN ${named(parent)} END, 'x', now()
       FROM generate_series(0, 5000) n, users u WHERE u.user_id = 'ben'`,
      [post],
    );
    await world.postgres.query(
      "INSERT INTO post_count_deltas (post_id, counter, delta) VALUES ($1, 'COMMENT', 5001)",
      [post],
    );
    const commands: string[] = [];
    const log = {
      append: (command: Parameters<typeof world.log.append>[0]) => {
        commands.push(command.inlineProjection!.name);
        return world.log.append(command);
      },
    };
    const deps = { ...world, log, counts: world.engagement.counts, ids: uuidV7Ids(systemClock) };
    expect(await deleteComment(deps, callerOf('ben'), `${prefix}000000000001`)).toEqual({
      ok: true,
      value: post,
    });
    expect(commands).toEqual(['delete_comment', ...Array(10).fill('delete_replies'), 'delete_comment']);
    expect(await on.commentCount()).toBe(0);
    expect((await world.countRows(post)).comments).toBe(0);
  });

  it('breaks off after ten rounds, saying so, where others keep answering; the next call goes on', async () => {
    const root = await on.added('ben', 'root');
    for (let i = 0; i < 6; i += 1) await on.added('dan', String(i), root);
    let isLively = true;
    let commands = 0;
    const log = {
      append: async (command: Parameters<typeof world.log.append>[0]) => {
        commands += 1;
        // Each look is out of date before its first command.
        if (isLively && command.inlineProjection?.name === 'delete_replies') {
          const [answered] = command.inlineProjection.args.replies as string[];
          for (let i = 0; i < 3; i += 1) await on.added('cat', 'late', answered!);
        }
        return world.log.append(command);
      },
    };
    const deps = { ...world, log, counts: world.engagement.counts, ids: uuidV7Ids(systemClock) };
    await expect(deleteComment(deps, callerOf('ben'), root, 2)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(commands).toBeLessThan(40);
    expect(await on.commentCount()).toBe((await world.countRows(post)).comments);
    isLively = false;
    expect(await deleteComment(deps, callerOf('ben'), root, 4)).toEqual({ ok: true, value: post });
    expect((await world.countRows(post)).comments).toBe(0);
  });

  it.each([
    ['side by side', '0'],
    ['in pairs', 'CASE WHEN n % 2 = 0 THEN n - 1 ELSE 0 END'],
    ['each under the one before', 'n - 1'],
  ])('of 12,000 answers %s is looked through 5,000 at a time', async (_, parent) => {
    const prefix = randomUUID().slice(0, 24);
    const named = (n: string) => `('${prefix}' || lpad((${n})::text, 12, '0'))::uuid`;
    await world.postgres.query(
      `INSERT INTO comments (comment_id, post_id, author_id, reply_to_id, content, created_at)
       SELECT ${named('n')}, $1, u.id, CASE WHEN n > 0 THEN ${named(parent)} END, 'x', now() + n * interval '1 ms'
       FROM generate_series(0, 12000) n, users u WHERE u.user_id = 'ben'`,
      [post],
    );
    const largest: number[] = [];
    const postgres = {
      query: async (...args: Parameters<typeof world.postgres.query>) => {
        const result = await world.postgres.query(...args);
        largest.push(result.rows.length);
        return result;
      },
    } as typeof world.postgres;
    const deps = { ...world, postgres, counts: world.engagement.counts, ids: uuidV7Ids(systemClock) };
    const call = () =>
      deleteComment(deps, callerOf('ben'), `${prefix}000000000000`).catch(
        ({ code }: { code: string }) => code,
      );
    let result = await call();
    for (let calls = 1; result === 'SERVICE_UNAVAILABLE' && calls < 20; calls += 1) {
      const before = (await world.countRows(post)).comments;
      result = await call();
      expect((await world.countRows(post)).comments).toBeLessThan(before);
    }
    expect(result).toEqual({ ok: true, value: post });
    expect((await world.countRows(post)).comments).toBe(0);
    expect(Math.max(...largest)).toBeLessThanOrEqual(5_000);
  });

  it('is for its author, the post’s author and admins', async () => {
    const one = await on.added('ben', 'one');
    const two = await on.added('ben', 'two');
    expect(await on.remove('cat', one)).toMatchObject({ errors: [{ code: 'FORBIDDEN' }] });
    expect(await on.remove('ann', one)).toEqual({ ok: true, value: post });
    expect(await on.remove('cat', two, 'admin')).toEqual({ ok: true, value: post });
    expect(await on.remove('cat', two)).toMatchObject({ errors: [{ code: 'COMMENT_NOT_FOUND' }] });
    for (const id of [randomUUID(), 'no id'])
      expect(await on.remove('cat', id)).toMatchObject({
        errors: [{ code: 'COMMENT_NOT_FOUND', path: ['input', 'commentId'] }],
      });
  });
});
