import type { Candidate, RankingContext } from '../../src/domains/feed/ranking/rank.js';
import { createRatesPredictor, NOTHING_LEARNED } from '../../src/domains/feed/ranking/rates-predictor.js';
import { loadRankingSettings } from '../../src/domains/feed/ranking/settings.js';
import type { Post, User } from '../../src/domains/feed/types.js';

/** The scoring instant of these tests. */
export const NOW = Date.parse('2026-11-22T12:00:00Z');
export const HOUR = 3_600_000;

export const shipped = loadRankingSettings();

/** A text of 140 characters: nothing is wrong with it. */
export const PLAIN = 'A quiet word about the weather. '.repeat(5).slice(0, 140);

const author = (userId: string): User => ({
  id: 1,
  userId,
  displayName: userId,
  avatarUrl: null,
  isVerified: false,
  isCelebrity: false,
  followerCount: 0,
  followingCount: 0,
});

/** A plain post of six hours ago that nobody has answered yet. */
export function postBy(userId: string, own: Partial<Post> & { hours?: number } = {}): Post {
  const { hours = 6, ...rest } = own;
  const likes = rest.likeCount ?? 0;
  return {
    postId: '01890000-0000-7000-8000-000000000001',
    author: author(userId),
    content: PLAIN,
    media: [],
    mediaUrls: [],
    visibility: 'public',
    sharedPostId: null,
    distribution: 'push',
    labels: [],
    fingerprint: null,
    createdAt: new Date(NOW - hours * HOUR),
    editedAt: null,
    likeCount: likes,
    commentCount: 0,
    shareCount: 0,
    reactionCounts: { LIKE: likes, LOVE: 0, HAHA: 0, WOW: 0, SAD: 0, ANGRY: 0 },
    ...rest,
  };
}

export const candidate = (post: Post): Candidate => ({ post, source: 'FANOUT' });

/** With the shipped numbers, nothing learned, strangers all, and time without end. */
export function contextOf(own: Partial<RankingContext> = {}): RankingContext {
  return {
    now: NOW,
    affinityOf: () => 0,
    predictor: createRatesPredictor(shipped.predictor, NOTHING_LEARNED),
    weights: shipped.weights,
    curves: shipped,
    deadline: () => false,
    ...own,
  };
}
