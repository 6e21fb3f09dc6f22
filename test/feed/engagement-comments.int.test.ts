import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AddCommentInput, deleteComment } from '../../src/domains/feed/engagement/comment.js';
import type { CommentsOf } from '../../src/domains/feed/engagement/comments.js';
import type { Role } from '../../src/platform/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { hashedFormerly } from '../support/former-hash.js';
import { callerOf, type EngagementWorld, openEngagementWorld } from './engagement-world.js';

let world: EngagementWorld;
let post: string;
beforeAll(async () => {
  world = await openEngagementWorld();
  await world.users('ann', 'ben', 'cat', 'dan', 'eve');
});
beforeEach(async () => {
  post = await world.post('ann');
});
afterAll(() => world.close());

const add = (userId: string, content: string, own: Partial<AddCommentInput> = {}) =>
  world.engagement.addComment(callerOf(userId), { postId: post, content, ...own });
async function added(userId: string, content: string, replyToId?: string): Promise<string> {
  const result = await add(userId, content, replyToId === undefined ? {} : { replyToId });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.value;
}
const remove = (userId: string, commentId: string, ...roles: Role[]) =>
  world.engagement.deleteComment(callerOf(userId, ...roles), commentId);
async function read(reader: string | null, of: CommentsOf, id: string): Promise<string[]> {
  const viewer = reader === null ? null : callerOf(reader).viewer;
  const page = { limit: 100, direction: 'forward', cursor: null } as const;
  const [found] = await world.engagement.pageComments(viewer, of, [id], page);
  const total = (await world.engagement.countComments(viewer, of, [id])).get(id)?.count ?? 0;
  const contents = found!.edges.map((edge) => edge.node.content);
  expect(total).toBe(contents.length);
  return contents;
}
const commentCount = async () => (await world.engagement.counts.of([post]))[0]?.comments;

describe('a comment', () => {
  it('stands under its post, its answers under it, oldest first; all of them count', async () => {
    const first = await added('ben', 'first');
    await added('cat', 'second');
    const reply = await added('ann', 'answer', first);
    await added('ben', 'answer to the answer', reply);
    expect(await read('dan', 'posts', post)).toEqual(['first', 'second']);
    expect(await read('dan', 'comments', first)).toEqual(['answer']);
    expect(await read(null, 'comments', reply)).toEqual(['answer to the answer']);
    expect(await commentCount()).toBe(4);
  });

  it('is paged there and back', async () => {
    for (const content of ['1', '2', '3', '4', '5']) await added('ben', content);
    const page = async (own: object) => {
      const request = { limit: 2, direction: 'forward', cursor: null, ...own } as const;
      return (await world.engagement.pageComments(null, 'posts', [post], request))[0]!;
    };
    const first = await page({});
    const second = await page({ cursor: first.pageInfo.endCursor });
    expect(second.edges.map((edge) => edge.node.content)).toEqual(['3', '4']);
    const last = await page({ direction: 'backward' });
    expect(last.edges.map((edge) => edge.node.content)).toEqual(['4', '5']);
    expect(last.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: false });
    await expect(page({ cursor: 'forged' })).rejects.toMatchObject({ code: 'BAD_CURSOR' });
  });

  it('is one, however often its key comes, also at once', async () => {
    const results = await Promise.all(
      Array.from({ length: 10 }, () => add('ben', 'only once', { idempotencyKey: 'key' })),
    );
    expect(new Set(results.map((result) => result.ok && result.value)).size).toBe(1);
    expect(await commentCount()).toBe(1);
    expect(await add('ben', 'another', { idempotencyKey: 'key' })).toMatchObject({
      errors: [{ code: 'IDEMPOTENCY_KEY_REUSED', path: ['input', 'idempotencyKey'] }],
    });
  });

  it('is one, though a former process accepted its key with a text that is stored in another form', async () => {
    const [content, key] = ['cafe\u0301', { idempotencyKey: 'former' }];
    const first = await add('ben', content, key);
    await hashedFormerly(world.postgres, { postId: post, content });
    expect(await add('ben', content, key)).toEqual(first);
    expect(await commentCount()).toBe(1);
  });

  it.each([
    ['nothing', ' \n', 'CONTENT_EMPTY'],
    ['2,001 characters', '🙂'.repeat(2_001), 'CONTENT_TOO_LONG'],
    ['a NUL', 'a\0b', 'CONTENT_INVALID'],
    ['half a surrogate pair', 'a\ud800', 'CONTENT_INVALID'],
  ])('of %s is refused', async (_, content, code) => {
    expect(await add('ben', content)).toMatchObject({ errors: [{ code, path: ['input', 'content'] }] });
    expect(await commentCount()).toBe(0);
  });

  it('has 2,000 characters as a reader counts them', async () => {
    expect(await add('ben', '🙂'.repeat(2_000))).toMatchObject({ ok: true });
  });

  it('answers only a living comment of the same post that its writer may see', async () => {
    const other = await world.post('ann');
    const elsewhere = await world.engagement.addComment(callerOf('ben'), { postId: other, content: 'there' });
    const deleted = await added('ben', 'gone');
    await remove('ben', deleted);
    await world.block('dan', 'eve');
    const hidden = await added('dan', 'not for eve');
    const refused = { ok: false, errors: [{ code: 'COMMENT_NOT_FOUND', path: ['input', 'replyToId'] }] };
    for (const replyToId of [elsewhere.ok && elsewhere.value, deleted, hidden, randomUUID(), 'no id'])
      expect(await add('eve', 'answer', { replyToId: String(replyToId) })).toMatchObject(refused);
  });

  it('under a post that one may not see is refused as if there were none', async () => {
    const postId = await world.post('ann', { visibility: 'private' });
    for (const id of [postId, randomUUID(), 'no id'])
      expect(await add('ben', 'hello', { postId: id })).toMatchObject({
        errors: [{ code: 'NOT_FOUND', path: ['input', 'postId'] }],
      });
  });
});

describe('blocking', () => {
  it('hides comments from each other, and from nobody else', async () => {
    await world.users('x1', 'x2');
    const ofOne = await added('x1', 'one');
    const ofOther = await added('x2', 'other');
    await world.block('x1', 'x2');
    expect(await read('x1', 'posts', post)).toEqual(['one']);
    expect(await read('x2', 'posts', post)).toEqual(['other']);
    expect(await read('cat', 'posts', post)).toEqual(['one', 'other']);
    const found = await world.engagement.findComments(callerOf('x1').viewer, [ofOne, ofOther, 'no id']);
    expect([...found.keys()]).toEqual([ofOne]);
  });
});

describe('deleting a comment', () => {
  it('takes what answers it along, and counts exactly what is left', async () => {
    const first = await added('ben', 'first');
    const reply = await added('cat', 'reply', first);
    await added('ben', 'deeper', reply);
    const second = await added('cat', 'second');
    await remove('cat', reply);
    expect(await commentCount()).toBe(2);
    await Promise.all([remove('ben', first), remove('ben', first)]);
    expect(await commentCount()).toBe(1);
    expect(await read('dan', 'posts', post)).toEqual(['second']);
    expect((await world.engagement.findComments(null, [first, second])).size).toBe(1);
    const events = await world.log.readStream(`Post-${post}`);
    expect(events.filter((event) => event.type === 'CommentDeleted')).toHaveLength(2);
  });

  it('of a long conversation goes in several steps, deepest first, each of which counts exactly', async () => {
    const root = await added('ben', 'root');
    for (const answer of ['a', 'b', 'c']) {
      const reply = await added('cat', answer, root);
      for (let i = 0; i < 3; i += 1) await added('dan', `${answer}${i}`, reply);
    }
    const deps = { ...world, counts: world.engagement.counts, ids: uuidV7Ids(systemClock) };
    const seen: (number | undefined)[] = [];
    const log = {
      append: async (command: Parameters<typeof world.log.append>[0]) => {
        const result = await world.log.append(command);
        await world.engagement.counts.publish([post]);
        seen.push(await commentCount());
        expect(await commentCount()).toBe((await world.countRows(post)).comments);
        return result;
      },
    };
    expect(await deleteComment({ ...deps, log }, callerOf('ben'), root, 5)).toEqual({
      ok: true,
      value: post,
    });
    expect(seen).toEqual([13, 8, 3, 1, 0]);
    expect(await read('dan', 'posts', post)).toEqual([]);
  });

  it('of a long conversation takes along what is answered meanwhile, and leaves nobody’s answer hanging', async () => {
    const root = await added('ben', 'root');
    const reply = await added('cat', 'reply', root);
    const answers: string[] = [];
    for (let i = 0; i < 8; i += 1) answers.push(await added('dan', String(i), reply));
    const hanging = `SELECT content FROM comments c WHERE post_id = $1 AND deleted_at IS NULL AND EXISTS (
      SELECT FROM comments WHERE comment_id = c.reply_to_id AND deleted_at IS NOT NULL)`;
    let late = 0;
    const log = {
      append: async (command: Parameters<typeof world.log.append>[0]) => {
        if (command.inlineProjection?.name === 'delete_replies' && late < 3) {
          late += 1;
          await added('cat', `late ${late}`, late === 2 ? reply : answers.at(-1)!);
        }
        const result = await world.log.append(command);
        expect((await world.postgres.query(hanging, [post])).rows).toEqual([]);
        return result;
      },
    };
    const deps = { ...world, log, counts: world.engagement.counts, ids: uuidV7Ids(systemClock) };
    expect(await deleteComment(deps, callerOf('ben'), root, 3)).toEqual({ ok: true, value: post });
    expect(late).toBe(3);
    expect(await read('dan', 'posts', post)).toEqual([]);
    expect(await commentCount()).toBe(0);
    expect((await world.countRows(post)).comments).toBe(0);
  });

  it('twice at once, of a long conversation, counts each comment once', async () => {
    const root = await added('ben', 'root');
    for (let i = 0; i < 20; i += 1) await added('cat', String(i), root);
    const deps = { ...world, counts: world.engagement.counts, ids: uuidV7Ids(systemClock) };
    const deletions = [1, 2, 3].map(() => deleteComment(deps, callerOf('ben'), root, 4));
    expect(await Promise.all(deletions)).toEqual(deletions.map(() => ({ ok: true, value: post })));
    expect(await commentCount()).toBe(0);
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
    expect(await commentCount()).toBe(0);
    expect((await world.countRows(post)).comments).toBe(0);
  });

  it('breaks off after ten rounds, saying so, where others keep answering; the next call goes on', async () => {
    const root = await added('ben', 'root');
    for (let i = 0; i < 6; i += 1) await added('dan', String(i), root);
    let isLively = true;
    let commands = 0;
    const log = {
      append: async (command: Parameters<typeof world.log.append>[0]) => {
        commands += 1;
        // Each look is out of date before its first command.
        if (isLively && command.inlineProjection?.name === 'delete_replies') {
          const [answered] = command.inlineProjection.args.replies as string[];
          for (let i = 0; i < 3; i += 1) await added('cat', 'late', answered!);
        }
        return world.log.append(command);
      },
    };
    const deps = { ...world, log, counts: world.engagement.counts, ids: uuidV7Ids(systemClock) };
    await expect(deleteComment(deps, callerOf('ben'), root, 2)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(commands).toBeLessThan(40);
    expect(await commentCount()).toBe((await world.countRows(post)).comments);
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
    const one = await added('ben', 'one');
    const two = await added('ben', 'two');
    expect(await remove('cat', one)).toMatchObject({ errors: [{ code: 'FORBIDDEN' }] });
    expect(await remove('ann', one)).toEqual({ ok: true, value: post });
    expect(await remove('cat', two, 'admin')).toEqual({ ok: true, value: post });
    expect(await remove('cat', two)).toMatchObject({ errors: [{ code: 'COMMENT_NOT_FOUND' }] });
    for (const id of [randomUUID(), 'no id'])
      expect(await remove('cat', id)).toMatchObject({
        errors: [{ code: 'COMMENT_NOT_FOUND', path: ['input', 'commentId'] }],
      });
  });
});
