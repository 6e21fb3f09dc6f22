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
  // Open dead letters are counted one by one up to 10,000.
  'job notifications.alerts': 400,
};

/** As many blocks as an operation or a job may touch of a large database, by what it touched of a small one. */
export const allowed = (name: string, blocks: number): number =>
  Math.max(ALLOWED_GROWTH * blocks + ALLOWANCE_BLOCKS, BOUNDS[name] ?? 0);
