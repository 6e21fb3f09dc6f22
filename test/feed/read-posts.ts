import type { Post } from '../../src/domains/feed/types.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';

const ids = uuidV7Ids(systemClock);

/** A public post of this author that nobody reacted to, unless told otherwise. */
export const postOf = (author: string, told: Partial<Post> = {}): Post => ({
  postId: ids.next(),
  author: {
    id: 1,
    userId: author,
    displayName: author,
    avatarUrl: null,
    isVerified: false,
    isCelebrity: false,
    followerCount: 0,
    followingCount: 0,
  },
  content: 'hello',
  media: [],
  mediaUrls: [],
  visibility: 'public',
  sharedPostId: null,
  distribution: 'push',
  labels: [],
  fingerprint: null,
  createdAt: new Date(),
  editedAt: null,
  likeCount: 0,
  commentCount: 0,
  shareCount: 0,
  reactionCounts: { LIKE: 0, LOVE: 0, HAHA: 0, WOW: 0, SAD: 0, ANGRY: 0 },
  ...told,
});
