import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '../../src/domains/feed/index.js';
import type { Connection, PageRequest } from '../../src/platform/paging.js';
import { callerOf, viewerOf } from './feed-callers.js';
import { type GraphWorld, inOrder, openGraphWorld } from './graph-world.js';

let world: GraphWorld;
beforeAll(async () => {
  world = await openGraphWorld();
});
afterAll(() => world.close());

const firstPage = { limit: 20, direction: 'forward', cursor: null } as const;
const events = async (userId: string): Promise<string[]> => {
  const { rows } = await world.postgres.query<{ event_type: string }>(
    'SELECT event_type FROM events WHERE stream_id = $1 ORDER BY stream_position',
    [`User-${userId}`],
  );
  return rows.map((row) => row.event_type);
};
const code = (result: { ok: boolean; errors?: readonly { code: string; path?: readonly string[] }[] }) =>
  result.ok ? null : result.errors!.map((error) => [error.code, error.path?.join('.')]);

describe('how people stand to each other', () => {
  it('counts each edge once, however often it is made or taken away', async () => {
    await world.signIn('ann', 'ben');
    for (const change of ['followUser', 'muteUser', 'blockUser'] as const) {
      await Promise.all([1, 2, 3].map(() => world.graph[change](callerOf('ann'), 'ben')));
    }
    for (const change of ['unblockUser', 'unmuteUser', 'unfollowUser'] as const) {
      await Promise.all([1, 2, 3].map(() => world.graph[change](callerOf('ann'), 'ben')));
    }
    expect(await events('ann')).toEqual([
      'UserFollowed',
      'UserMuted',
      'UserBlocked',
      'UserUnblocked',
      'UserUnmuted',
      'UserUnfollowed',
    ]);
    const [ben] = await world.graph.findUsers(['ben']);
    expect(ben).toMatchObject({ followerCount: 0, followingCount: 0 });
  });

  it('builds a feed again where a follow changed, and only there', async () => {
    await world.signIn('cat', 'dan');
    world.cold.length = 0;
    await world.graph.muteUser(callerOf('cat'), 'dan');
    await world.graph.blockUser(callerOf('dan'), 'cat');
    await world.graph.unblockUser(callerOf('dan'), 'cat');
    expect(world.cold).toEqual([]);
    await world.graph.followUser(callerOf('cat'), 'dan');
    expect(world.cold).toEqual(['cat']);
  });

  it('refuses what cannot be, by a named code', async () => {
    await world.signIn('eve');
    const { graph } = world;
    const eve = callerOf('eve');
    const at = 'input.userId';
    expect(code(await graph.followUser(eve, 'eve'))).toEqual([['CANNOT_FOLLOW_YOURSELF', at]]);
    expect(code(await graph.muteUser(eve, 'eve'))).toEqual([['CANNOT_MUTE_YOURSELF', at]]);
    expect(code(await graph.blockUser(eve, 'eve'))).toEqual([['CANNOT_BLOCK_YOURSELF', at]]);
    for (const change of [
      'followUser',
      'unfollowUser',
      'muteUser',
      'unmuteUser',
      'blockUser',
      'unblockUser',
    ] as const) {
      expect(code(await graph[change](eve, 'nobody'))).toEqual([['NOT_FOUND', at]]);
      for (const id of ['', 'x'.repeat(65), 'nul\0', '\ud800']) {
        expect(code(await graph[change](eve, id))).toEqual([['ID_INVALID', at]]);
      }
    }
    expect(await events('eve')).toEqual([]);
  });

  it('lets neither follow the other while either blocks', async () => {
    await world.signIn('fay', 'gus');
    await world.graph.blockUser(callerOf('fay'), 'gus');
    for (const [one, other] of [
      ['fay', 'gus'],
      ['gus', 'fay'],
    ] as const) {
      expect(code(await world.graph.followUser(callerOf(one), other))).toEqual([['BLOCKED', 'input.userId']]);
    }
    await world.graph.unblockUser(callerOf('fay'), 'gus');
    expect((await world.graph.followUser(callerOf('gus'), 'fay')).ok).toBe(true);
  });

  it('keeps follows through a block, without effect, and brings them back', async () => {
    await world.signIn('hal', 'ida');
    await world.graph.followUser(callerOf('hal'), 'ida');
    await world.graph.followUser(callerOf('ida'), 'hal');
    const before = inOrder(await world.relations.of('hal'));
    await world.graph.blockUser(callerOf('ida'), 'hal');
    expect(inOrder(await world.relations.of('hal')).blocked).toEqual(['ida']);
    expect((await world.graph.findRelations('hal', ['ida'])).get('ida')).toEqual({
      viewerFollows: false,
      followsViewer: false,
      viewerMutes: false,
      viewerBlocks: false,
      isBlocked: true,
    });
    expect((await world.graph.findUsers(['ida']))[0]).toMatchObject({ followerCount: 1, followingCount: 1 });
    await world.graph.unblockUser(callerOf('ida'), 'hal');
    expect(inOrder(await world.relations.of('hal'))).toEqual(before);
  });

  it('shows whom the viewer blocks, never who blocks the viewer', async () => {
    await world.signIn('jon', 'kim');
    await world.graph.blockUser(callerOf('jon'), 'kim');
    expect((await world.graph.findRelations('jon', ['kim'])).get('kim')?.viewerBlocks).toBe(true);
    expect((await world.graph.findRelations('kim', ['jon'])).get('jon')?.viewerBlocks).toBe(false);
    const lists = async (userId: string) =>
      (await world.graph.pageOwnList('blocked', viewerOf(userId), firstPage)).edges.map(
        (edge) => edge.node.userId,
      );
    expect(await lists('jon')).toEqual(['kim']);
    expect(await lists('kim')).toEqual([]);
  });

  it('leaves users who are blocked either way out of others’ lists, and shows the viewer no list of theirs', async () => {
    await world.signIn('star', 'lea', 'max', 'ned');
    for (const fan of ['lea', 'max', 'ned']) await world.graph.followUser(callerOf(fan), 'star');
    await world.graph.blockUser(callerOf('max'), 'lea');
    const followers = async (viewer: string | null, of: string) => {
      const [page] = await world.graph.pageFollows(
        'followers',
        viewer ? viewerOf(viewer) : null,
        [of],
        firstPage,
      );
      return page!.edges.map((edge) => edge.node.userId);
    };
    expect(await followers('lea', 'star')).toEqual(['ned', 'lea']);
    expect(await followers('max', 'star')).toEqual(['ned', 'max']);
    expect(await followers(null, 'star')).toEqual(['ned', 'max', 'lea']);
    await world.graph.blockUser(callerOf('star'), 'ned');
    expect(await followers('ned', 'star')).toEqual([]);
  });

  it('pages every list both ways, each person once', async () => {
    const people = Array.from({ length: 7 }, (_, i) => `p${i}`);
    await world.signIn('owner', ...people);
    for (const person of people) {
      await world.graph.muteUser(callerOf('owner'), person);
      await world.graph.followUser(callerOf('owner'), person);
    }
    // All in one millisecond: only the surrogate id orders them.
    await world.postgres.query(`UPDATE mutes SET created_at = '2026-01-01'`);
    await world.postgres.query(`UPDATE follows SET created_at = '2026-01-01'`);
    type Read = (page: PageRequest) => Promise<Connection<User>>;
    const pages: Record<'muted' | 'following', Read> = {
      muted: (page) => world.graph.pageOwnList('muted', viewerOf('owner'), page),
      following: async (page) =>
        (await world.graph.pageFollows('following', viewerOf('owner'), ['owner'], page))[0]!,
    };
    for (const read of Object.values(pages)) {
      const seen: string[] = [];
      let cursor: string | null = null;
      for (let more = true; more; ) {
        const page: Connection<User> = await read({ limit: 3, direction: 'forward', cursor });
        seen.push(...page.edges.map((edge) => edge.node.userId));
        ({ endCursor: cursor, hasNextPage: more } = page.pageInfo);
      }
      expect(seen).toEqual([...people].reverse());
      const back = await read({ limit: 100, direction: 'backward', cursor });
      expect(back.edges.map((edge) => edge.node.userId)).toEqual([...people].reverse().slice(0, -1));
    }
    const muted = await world.graph.pageOwnList('muted', viewerOf('owner'), firstPage);
    expect(await muted.total()).toEqual({ count: 7, isEstimate: false });
    await expect(pages.muted({ ...firstPage, cursor: 'forged' })).rejects.toMatchObject({
      code: 'BAD_CURSOR',
    });
  });
});
