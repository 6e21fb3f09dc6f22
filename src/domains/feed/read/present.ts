import type { PageRequest } from '../../../platform/paging.js';
import type { Post } from '../types.js';
import type { FeedCursors } from './cursors.js';
import { type FeedCursor, FINGERPRINT, fingerprintOf, MOST_ADVERTISED } from './feed-cursor.js';
import type { FeedEdge, FeedPage, FeedReason } from './feed-page.js';
import type { Gathered, Taken } from './gather.js';
import { placeSponsored, SLOTS } from './sponsored-slots.js';

const PAID: FeedReason = { source: 'SPONSORED', score: 0, terms: [] };

/**
 * The page. Each edge has a cursor of its own: it names the sponsored posts that were shown up to there. The page's end
 * follows what was looked at: where rules hid everything, the cursor still moves on, and at the end of a page
 * that is full it is after the last post.
 *
 * @param before what the cursor that the page begins at says of sponsored posts
 */
export function presentPage(
  cursors: FeedCursors,
  viewerId: string,
  page: PageRequest,
  { taken, next }: Gathered,
  sponsored: readonly Post[],
  before = '',
): FeedPage {
  let advertised = before;
  const writeWith =
    (shown: string) =>
    (feedCursor: FeedCursor): string =>
      cursors.write(viewerId, shown === '' ? feedCursor : { ...feedCursor, advertised: shown });
  let write = writeWith(advertised);
  const organic = new Set(taken.slice(0, page.limit).map(({ ranked }) => ranked.post.postId));
  const placed = placeSponsored(
    taken.slice(0, page.limit),
    advertised.length / FINGERPRINT > MOST_ADVERTISED - SLOTS
      ? []
      : sponsored.filter(({ postId }) => !organic.has(postId)),
    page.limit,
    turnOf(viewerId, taken[0]),
  );
  const edges = placed.map((slot) => {
    if ('organic' in slot)
      return new Edge(slot.organic, write, reasonOf(slot.organic), false, slot.organic.ranked.post);
    advertised += fingerprintOf(slot.sponsored.postId);
    write = writeWith(advertised);
    return new Edge(slot.behind, write, PAID, true, slot.sponsored);
  });
  const shown = placed.filter((slot) => 'organic' in slot).length;
  const isFull = shown < taken.length;
  return {
    edges,
    pageInfo: new PageInfo(
      edges,
      isFull || next !== null,
      page.cursor !== null,
      !isFull && next !== null ? () => write(next) : undefined,
    ),
  };
}

const reasonOf = ({ ranked: { source, score, terms } }: Taken): FeedReason => ({ source, score, terms });

/** Readers and pages take turns with what is sponsored; the same page keeps its own. */
export function turnOf(viewerId: string, first: Taken | undefined): number {
  const at = first ? Number.parseInt(fingerprintOf(first.ranked.post.postId).slice(-6), 16) : 0;
  return at + [...viewerId].reduce((sum, character) => sum + character.codePointAt(0)!, 0);
}

/** Signing costs more than all the rest of an edge: a cursor is made when it is asked for, and once. */
class Edge implements FeedEdge {
  private written: string | undefined;

  constructor(
    private readonly behind: Taken,
    private readonly write: (feedCursor: FeedCursor) => string,
    readonly why: FeedReason,
    readonly isSponsored: boolean,
    readonly node: Post,
  ) {}
  get cursor(): string {
    this.written ??= this.write(this.behind.cursor());
    return this.written;
  }
}

class PageInfo {
  constructor(
    private readonly edges: readonly FeedEdge[],
    readonly hasNextPage: boolean,
    readonly hasPreviousPage: boolean,
    private readonly scannedTo: (() => string) | undefined,
  ) {}
  get startCursor(): string | null {
    return this.edges[0]?.cursor ?? null;
  }
  get endCursor(): string | null {
    return this.scannedTo?.() ?? this.edges.at(-1)?.cursor ?? null;
  }
}
