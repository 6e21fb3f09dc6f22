import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeCursor, type PageRequest } from '../../src/platform/paging.js';
import { callerOf, viewerOf } from './feed-callers.js';
import { type GraphWorld, openGraphWorld } from './graph-world.js';

let world: GraphWorld;
beforeAll(async () => {
  world = await openGraphWorld({ celebrityFollowers: 3 });
});
afterAll(() => world.close());

const firstPage: PageRequest = { limit: 20, direction: 'forward', cursor: null };
const code = (result: { ok: boolean; errors?: readonly { code: string; path?: readonly string[] }[] }) =>
  result.ok ? null : result.errors!.map((error) => [error.code, error.path?.join('.')]);

describe('searching for people', () => {
  const named = async (userId: string, displayName: string) => {
    await world.signIn(userId);
    await world.graph.upsertProfile(callerOf(userId), { displayName });
  };
  const find = async (viewer: string, text: string, page = firstPage) => {
    const found = await world.graph.searchUsers(viewerOf(viewer), text, page);
    return found.edges.map((edge) => edge.node.userId);
  };
  beforeAll(async () => {
    await named('anna', 'Zoe');
    await named('x1', 'Annabel');
    await named('x2', 'ANNE Ärmel');
    await named('x3', 'Joanna');
    await named('x4', '100% _sure');
    await named('äpfel', 'Apples');
  });

  it('finds ids first, then names, by their beginning and whatever their case', async () => {
    expect(await find('x4', 'aNn')).toEqual(['anna', 'x1', 'x2']);
    expect(await find('x4', ' anna ')).toEqual(['anna', 'x1']);
    expect(await find('x4', 'ÄP')).toEqual(['äpfel']);
  });

  it('finds a name of a hundred characters, also if each takes two UTF-16 units', async () => {
    const name = '🍕'.repeat(100);
    expect((await world.graph.upsertProfile(callerOf('x4'), { displayName: name })).ok).toBe(true);
    expect(await find('x1', name)).toEqual(['x4']);
    await expect(find('x1', `${name}🍕`)).rejects.toThrow('100 characters');
    expect(code(await world.graph.upsertProfile(callerOf('x4'), { displayName: `${name}🍕` }))).toEqual([
      ['DISPLAY_NAME_TOO_LONG', 'input.displayName'],
    ]);
    await world.graph.upsertProfile(callerOf('x4'), { displayName: '100% _sure' });
  });

  it('takes every character as it is', async () => {
    expect(await find('anna', '100% _')).toEqual(['x4']);
    expect(await find('anna', '%')).toEqual([]);
    expect(await find('anna', '_')).toEqual([]);
  });

  it('pages both ways through ids and names, each person once', async () => {
    await Promise.all(Array.from({ length: 5 }, (_, i) => named(`page${i}`, 'Page')));
    await Promise.all(Array.from({ length: 5 }, (_, i) => named(`other${i}`, 'page')));
    const all = await find('x1', 'page');
    expect([...all].sort()).toEqual([
      ...[0, 1, 2, 3, 4].map((i) => `other${i}`),
      ...[0, 1, 2, 3, 4].map((i) => `page${i}`),
    ]);
    const seen: string[] = [];
    let cursor: string | null = null;
    for (let more = true; more; ) {
      const page = await world.graph.searchUsers(viewerOf('x1'), 'page', { ...firstPage, limit: 3, cursor });
      expect(await page.total()).toEqual({ count: 10, isEstimate: false });
      seen.push(...page.edges.map((edge) => edge.node.userId));
      ({ endCursor: cursor, hasNextPage: more } = page.pageInfo);
    }
    expect(seen).toEqual(all);
    const back = await find('x1', 'page', { limit: 9, direction: 'backward', cursor });
    expect(back).toEqual(all.slice(0, 9));
  });

  it('does not find whom a block keeps from the viewer', async () => {
    await world.graph.blockUser(callerOf('x2'), 'x1');
    expect(await find('x1', 'anne')).toEqual([]);
    expect(await find('x2', 'annabel')).toEqual([]);
    const found = await world.graph.searchUsers(viewerOf('x1'), 'anne', firstPage);
    expect(await found.total()).toEqual({ count: 0, isEstimate: false });
  });

  it('refuses what is no query and no cursor', async () => {
    for (const text of ['', '  ', 'x'.repeat(101), 'a\0', '\ud800']) {
      await expect(find('x1', text)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    }
    for (const cursor of [
      'forged',
      encodeCursor('found', 0, 'nul\0', 1),
      encodeCursor('found', 2, 'a', 1),
      encodeCursor('found', 0, 'a', -1),
    ]) {
      await expect(find('x1', 'a', { ...firstPage, cursor })).rejects.toMatchObject({ code: 'BAD_CURSOR' });
    }
  });
});

describe('muted keywords', () => {
  it('are trimmed, kept once whatever their case, and felt by the next read', async () => {
    await world.signIn('kay');
    await world.relations.of('kay');
    const result = await world.graph.setMutedKeywords(callerOf('kay'), [
      ' Spoiler ',
      'spoiler',
      'Fußball',
      'b',
    ]);
    expect(result).toEqual({ ok: true, value: ['Spoiler', 'Fußball', 'b'] });
    expect((await world.relations.of('kay')).mutedKeywords).toEqual(['Spoiler', 'Fußball', 'b']);
    await world.graph.setMutedKeywords(callerOf('kay'), []);
    expect(await world.graph.findMutedKeywords('kay')).toEqual([]);
  });

  it('are refused by a code and a place each, and then nothing changes', async () => {
    await world.signIn('lou');
    const lou = callerOf('lou');
    await world.graph.setMutedKeywords(lou, ['kept']);
    const set = (keywords: string[]) => world.graph.setMutedKeywords(lou, keywords);
    expect(code(await set(Array.from({ length: 101 }, (_, i) => `k${i}`)))).toEqual([
      ['TOO_MANY_KEYWORDS', 'input.keywords'],
    ]);
    expect(code(await set(['ok', ' ', '😀'.repeat(101), 'nul\0']))).toEqual([
      ['KEYWORD_EMPTY', 'input.keywords.1'],
      ['KEYWORD_TOO_LONG', 'input.keywords.2'],
      ['KEYWORD_INVALID', 'input.keywords.3'],
    ]);
    // In form NFC, in which they are stored, these are as long again, and three times as long.
    expect(code(await set(['\ufb2c'.repeat(100), '\u{1d160}'.repeat(100), 'e\u0301'.repeat(100)]))).toEqual([
      ['KEYWORD_TOO_LONG', 'input.keywords.0'],
      ['KEYWORD_TOO_LONG', 'input.keywords.1'],
    ]);
    expect(code(await set(['😀'.repeat(100)]))).toBeNull();
    await set(['kept']);
    expect(await world.graph.findMutedKeywords('lou')).toEqual(['kept']);
  });
});

describe('close friends', () => {
  const closeFriendsOf = async (userId: string) => {
    const { rows } = await world.postgres.query<{ user_id: string }>(
      `SELECT friend.user_id FROM close_friends c JOIN users me ON me.id = c.user_id
       JOIN users friend ON friend.id = c.friend_id WHERE me.user_id = $1`,
      [userId],
    );
    return rows.map((row) => row.user_id);
  };
  const set = (who: string, userId: string, isCloseFriend: boolean) =>
    world.graph.setCloseFriend(callerOf(who), { userId, isCloseFriend });

  it('are people whom one follows', async () => {
    await world.signIn('mia', 'noa');
    expect(code(await set('mia', 'noa', true))).toEqual([['NOT_FOLLOWING', 'input.userId']]);
    expect(code(await set('mia', 'mia', true))).toEqual([['NOT_FOLLOWING', 'input.userId']]);
    expect(code(await set('mia', 'nobody', true))).toEqual([['NOT_FOUND', 'input.userId']]);
    expect(code(await set('mia', '', false))).toEqual([['ID_INVALID', 'input.userId']]);
    await world.graph.followUser(callerOf('mia'), 'noa');
    for (let i = 0; i < 2; i += 1)
      expect(await set('mia', 'noa', true)).toMatchObject({ value: { userId: 'noa' } });
    expect(await closeFriendsOf('mia')).toEqual(['noa']);
    for (let i = 0; i < 2; i += 1) expect((await set('mia', 'noa', false)).ok).toBe(true);
    expect(await closeFriendsOf('mia')).toEqual([]);
  });

  it('are kept while unfollowed or blocked: undoing that brings them back', async () => {
    await world.signIn('oli', 'pia');
    await world.graph.followUser(callerOf('oli'), 'pia');
    await set('oli', 'pia', true);
    await world.graph.blockUser(callerOf('pia'), 'oli');
    await world.graph.unfollowUser(callerOf('oli'), 'pia');
    expect(await closeFriendsOf('oli')).toEqual(['pia']);
  });
});

describe('celebrities', () => {
  const isCelebrity = async (userId: string) => (await world.graph.findUsers([userId]))[0]!.isCelebrity;

  it('are who has the threshold’s followers, in both directions, by the job', async () => {
    await world.signIn('star', 'f1', 'f2', 'f3');
    for (const fan of ['f1', 'f2']) await world.graph.followUser(callerOf(fan), 'star');
    expect(await world.graph.settleCelebrities()).toEqual([]);
    await world.graph.followUser(callerOf('f3'), 'star');
    expect(await isCelebrity('star')).toBe(false);
    expect(await world.graph.settleCelebrities()).toEqual(['star']);
    expect(await isCelebrity('star')).toBe(true);
    expect(world.forgotten.at(-1)).toBe('star');
    expect(await world.graph.settleCelebrities()).toEqual([]);
    await world.graph.unfollowUser(callerOf('f1'), 'star');
    expect(await world.graph.settleCelebrities()).toEqual(['star']);
    expect(await isCelebrity('star')).toBe(false);
  });

  it('skip a row that a command has locked until the next run', async () => {
    await world.signIn('busy', 'idle');
    await world.postgres.query(`UPDATE users SET follower_count = 3 WHERE user_id IN ('busy', 'idle')`);
    await world.postgres.transaction(async (tx) => {
      await tx.query(`UPDATE users SET following_count = 0 WHERE user_id = 'busy'`);
      expect(await world.graph.settleCelebrities()).toEqual(['idle']);
    });
    expect(await world.graph.settleCelebrities()).toEqual(['busy']);
  });
});
