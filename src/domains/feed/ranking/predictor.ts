/** What a post is, as readers meet it: what mixing and the predictor tell apart. */
export const CONTENT_TYPES = ['text', 'link', 'image', 'video', 'share'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** What a reader may do with a post that the predictor foretells. */
export const OUTCOMES = ['like', 'comment', 'share', 'click', 'hide'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What a prediction is made of: nothing but the post, how close its author is, and its age. No number is NaN. */
export interface Features {
  readonly authorId: string;
  readonly type: ContentType;
  /** From −1 (the viewer keeps hiding them) over 0 (a stranger) to 1. */
  readonly affinity: number;
  /** Milliseconds, at least 0. */
  readonly age: number;
  /** Of any kind; at least 0, as are the other counts. */
  readonly reactions: number;
  readonly comments: number;
  readonly shares: number;
}

/** Probabilities, 0 to 1 each, that the viewer does it once the post was shown. */
export type Predictions = Readonly<Record<Outcome, number>>;

/** Foretells what a viewer does with a post. Pure and fast: it is asked for every candidate of every read. */
export interface Predictor {
  predict(features: Features): Predictions;
}
