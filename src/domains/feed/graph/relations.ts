/** How one viewer stands to others, at one moment. All by user id. */
export interface Relations {
  readonly viewerId: string;
  /** Followed now. Blocks do not take an edge away: who is in `blocked` too is as if he were not here. */
  readonly follows: ReadonlySet<string>;
  readonly muted: ReadonlySet<string>;
  /** Either way: the viewer blocks them, or they block him. */
  readonly blocked: ReadonlySet<string>;
  /** Those in `follows` who ever published posts to be pulled. */
  readonly pulled: readonly string[];
  /** As the viewer wrote them, without two that differ by case alone. */
  readonly mutedKeywords: readonly string[];
}

/** What reading a feed asks of the graph: Postgres' answer, remembered until it changes. */
export interface RelationCache {
  /** One round trip to Redis where this process knows the answer already; no SQL where Redis does. */
  of(userId: string): Promise<Relations>;
  /** After a follow, a mute, a block or a change of keywords: nobody uses what was remembered of these users. */
  invalidate(userIds: readonly string[]): Promise<void>;
  /** After an author's first post that is pulled: his followers learn of it at their next read. */
  pulledAuthorsChanged(): Promise<void>;
}
