import { bind, type DependenciesOf } from '../../../platform/bind.js';
import { addComment, deleteComment } from './comment.js';
import { countComments, findComments, pageComments } from './comments.js';
import { type Counts, findOriginals } from './counts.js';
import { addNotices } from './notices/notices.js';
import { sendNotices } from './notices/send.js';
import { reactToPost, removeReaction } from './react.js';
import { findViewerReactions, pageReactions } from './reactions.js';
import { createWriteBack } from './write-back.js';

export type Engagement = ReturnType<typeof createEngagement>;

const functions = {
  reactToPost,
  removeReaction,
  viewerReactions: findViewerReactions,
  pageReactions,
  addComment,
  deleteComment,
  findComments,
  pageComments,
  countComments,
  findOriginals,
  addNotices,
  sendNotices,
};

/** What people do with posts: they react and comment. */
export function createEngagement(deps: DependenciesOf<typeof functions> & { readonly counts: Counts }) {
  const { writeBack, countWaiting } = createWriteBack(deps);
  return {
    counts: deps.counts,
    ...bind(deps, functions),
    writeBackCounts: writeBack,
    countWaitingDeltas: countWaiting,
  };
}
