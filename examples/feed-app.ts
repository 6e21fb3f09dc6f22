/** Where the server is, and who asks. */
export interface Session {
  /** Without a slash at its end: `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Asked for each request and each connection, since tokens expire. */
  readonly token: () => string;
  /** Names documents by the ids of `persisted-documents.json`, which the server has too, instead of sending their texts. */
  readonly byId?: boolean;
}

export interface ShownPost {
  readonly id: string;
  readonly content: string;
  readonly likeCount: number;
  readonly viewerHasLiked: boolean;
}

/** A screen with a feed, as each of the three clients keeps it: everything that is shown comes out of its cache. */
export interface FeedApp {
  /** The posts as they are shown now, newest first. */
  posts(): readonly ShownPost[];
  hasMore(): boolean;
  /** Reads the next page and adds it at the end. */
  loadMore(): Promise<void>;
  /**
   * Shows the like at once, and takes it back where the API refuses it or does not answer.
   *
   * @returns why it was refused; null: it was not
   */
  like(post: ShownPost): Promise<string | null>;
  remove(post: ShownPost): Promise<void>;
  close(): Promise<void>;
}

/** Opens the screen: resolves once the first page is shown and new posts are followed. */
export type OpenFeedApp = (session: Session) => Promise<FeedApp>;

export const PAGE_SIZE = 10;
