import type { Registry } from 'prom-client';
import { bind, type DependenciesOf } from '../../../platform/bind.js';
import type { FeedConfig } from '../config.js';
import { addComment, deleteComment } from './comment.js';
import { countComments, findComments, pageComments } from './comments.js';
import { type Counts, findOriginals } from './counts.js';
import { addNotices } from './notices/notices.js';
import { createNoticeMetrics, sendNotices } from './notices/send.js';
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
type Deps = DependenciesOf<typeof functions>;

/** What people do with posts: they react and comment. */
export function createEngagement(
  own: Omit<Deps, 'metrics' | 'hiddenLabels'> & {
    readonly counts: Counts;
    readonly metrics: Registry;
    readonly config: Pick<FeedConfig, 'hiddenLabels'>;
  },
) {
  const deps: Deps = {
    ...own,
    metrics: createNoticeMetrics(own.metrics),
    hiddenLabels: new Set(own.config.hiddenLabels),
  };
  const { writeBack, countWaiting } = createWriteBack(deps);
  return {
    counts: own.counts,
    ...bind(deps, functions),
    writeBackCounts: writeBack,
    countWaitingDeltas: countWaiting,
  };
}
