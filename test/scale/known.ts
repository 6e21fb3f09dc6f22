/** A B-tree of 16 × the rows has a level more, and each of its descents a block; this much is allowed beside them. */
const ALLOWANCE_BLOCKS = 16;
const ALLOWED_GROWTH = 1.5;

/** As many blocks as an operation may touch at 16 × the data, by what it touched at 1 ×. */
export const allowed = (blocks: number): number => ALLOWED_GROWTH * blocks + ALLOWANCE_BLOCKS;

/** Below this an operation that was known to grow counts as flat: apart from `allowed`, so that none is now this, now that. */
export const flatBelow = (blocks: number): number => 1.25 * blocks + ALLOWANCE_BLOCKS / 2;

/** What is not flat today: blocks at 500 users and at 8,000, as measured, and why. Who mends one takes it out. */
export const knownToGrow: Readonly<Record<string, string>> = {
  'searchUsers: one letter':
    '140 to 458: two lower bounds; names that start like ids are filtered afterwards',
  'searchUsers: everybody’s name': '137 to 386: as for one letter',
  'searchUsers: everybody, last 20': '136 to 383: as for one letter',
  'user: hot, posts': '134 to 1,998: one page of an author’s posts; cause not looked into',
  'account: hot, as of': '149 to 2,436: replays the stream’s events up to the instant',
  'inbox: hot, unread and their count':
    '76 to 165: the page of unread items, 152 of them; cause not looked into',
  'feed: latest, cold': '602 to 931: post objects of one page; cause not looked into',
  'feed: ranked, cold': '582 to 934: as the latest',
  'markInbox: hot, one': '16 to 60: counts the unread items',
  'job notifications.reconcile-counts': '59 to 185: looks whether a minute has events',
  'job learn-ranking': '5,806 to 92,585: reads every signal of its window',
  'job forget-fan-outs': '254 to 4,044: one DELETE … LIMIT; cause not looked into',
  'job notifications.forget': '1,600 to 14,930: a round looks through inboxes for old items',
};
