/** Where the server is, and who asks. */
export interface Session {
  /** Without a slash at its end: `http://127.0.0.1:4000`. */
  readonly url: string;
  readonly token: string;
}

export interface ShownPost {
  readonly id: string;
  readonly postId: string;
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
  like(postId: string): Promise<void>;
  remove(postId: string): Promise<void>;
  /** Breaks the connection of live updates, as a tunnel does. It comes back by itself. */
  cut(): void;
  close(): Promise<void>;
}

/** Opens the screen: resolves once the first page is shown and new posts are followed. */
export type OpenFeedApp = (session: Session) => Promise<FeedApp>;

export const PAGE_SIZE = 10;
