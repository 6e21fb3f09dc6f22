import { bind, type DependenciesOf } from '../../../platform/bind.js';
import type { Clock } from '../../../platform/clock.js';
import { createLookBack } from '../../../platform/look-back.js';
import { deletePost } from './delete.js';
import { editPost, findEdits, findEditTexts } from './edit.js';
import { announcePulledAuthors } from './new-post.js';
import { findVisiblePosts, pageAuthorPosts } from './posts.js';
import { publishPost, sharePost } from './publish.js';
import { purgePosts } from './purge.js';

const functions = {
  publishPost,
  sharePost,
  editPost,
  deletePost,
  findVisiblePosts,
  findEdits,
  findEditTexts,
  pageAuthorPosts,
  announcePulledAuthors,
};

export function createPosts(deps: DependenciesOf<typeof functions> & { readonly clock: Clock }) {
  const lookBack = createLookBack(() => deps.clock.now());
  return {
    ...bind(deps, functions),
    refreshPosts: deps.posts.refresh,
    purgePosts: (removeMedia: (mediaIds: readonly string[]) => Promise<unknown>) =>
      purgePosts({ ...deps, lookBack, removeMedia }),
  };
}
