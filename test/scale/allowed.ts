/** A B-tree of 16 × the rows has a level more, and each of its descents a block; this much is allowed beside them. */
const ALLOWANCE_BLOCKS = 16;
const ALLOWED_GROWTH = 1.5;

/** What grows up to a bound that a small database does not reach: at most so many blocks, whatever the tables hold. */
const BOUNDS: Readonly<Record<string, number>> = {
  // Whether a minute has events is looked up four times at most, each in a range of 128 pages of the index on time, and what lies beside it.
  'job notifications.reconcile-counts': 4 * 128 + 100,
  // It deletes as many rows, on pages of their own, as it finds, up to this.
  'job forget-fan-outs': 1.2 * 5_000 * 20,
  // Seventeen people are followed: for each five looks at indexes of four or five levels, and ten posts at most, twice, on pages of their own.
  'feed: latest, cold': 17 * (5 * 5 + 2 * 10) + 100,
  'feed: ranked, cold': 17 * (5 * 5 + 2 * 10) + 100,
  // The same for 61, of whom the reader is one.
  'feed: hot, by an admin': 61 * (5 * 5 + 2 * 10) + 100,
  // Each of 21 comments lies on a page of its own, and so does its author, four levels down: in a small database they share pages.
  'post: hot': 21 * 6 + 20,
  // Of 10,000 users whom an index finds, and of those on 1,000 pages, each is looked up with their attributes, four levels down.
  'estimateSegment: a hot value': 10_001 * 2 * 5 + 1_000 * 80 * 5,
  'estimateSegment: a range': 1_000 * 80 * 5,
  // A block of 4,096 documents, of which all match, and 21 deliveries: a small database has not filled one.
  ...Object.fromEntries(
    ['all', 'a word of all', 'a hot user and a word'].flatMap((about) =>
      ['first', 'last'].map((side) => [`searchDeliveries: ${about}, ${side} 20`, 4_096 / 25 + 200]),
    ),
  ),
  'searchDeliveries: the last 100': 4_096 / 25 + 101 * 6 + 100,
  // 1,024 blocks are searched for a word, some pages of the index each.
  ...Object.fromEntries(
    ['a rare word', 'no word', 'a steady user', 'an unused channel'].flatMap((about) =>
      ['first', 'last'].map((side) => [`searchDeliveries: ${about}, ${side} 20`, 1_024 * 8 + 200]),
    ),
  ),
  // The status of 2,000 deliveries is looked at, four levels down.
  'searchDeliveries: an unused status, first 20': 2_000 * 5 + 400,
  'searchDeliveries: an unused status, last 20': 2_000 * 5 + 400,
  // Of a channel and status 1,000 are counted, and 200 looked at with their last event; so are 1,000 dead letters, and 200 for digests.
  'notificationBacklog: all': 2 * 1_001 * 2 + 200 * 20 + 201 * 10,
  // Open dead letters are counted one by one up to 10,000.
  'job notifications.alerts': 400,
};

/** As many blocks as an operation or a job may touch of a large database, by what it touched of a small one. */
export const allowed = (name: string, blocks: number): number =>
  Math.max(ALLOWED_GROWTH * blocks + ALLOWANCE_BLOCKS, BOUNDS[name] ?? 0);
