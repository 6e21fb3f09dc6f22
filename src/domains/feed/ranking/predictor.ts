/** A post's type of content, which mixing and the predictor distinguish. */
export const CONTENT_TYPES = ['text', 'link', 'image', 'video', 'share'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** Actions of readers that the predictor estimates. */
export const OUTCOMES = ['like', 'comment', 'share', 'click', 'hide'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The input of a prediction: the post, the affinity to its author, and its age. No number is NaN. */
export interface Features {
  readonly authorId: string;
  readonly type: ContentType;
  /** From −1 (the viewer keeps hiding them) over 0 (no interaction) to 1. */
  readonly affinity: number;
  /** Milliseconds, at least 0. */
  readonly age: number;
  /** Of any kind; at least 0, as are the other counts. */
  readonly reactions: number;
  readonly comments: number;
  readonly shares: number;
}

/** Probabilities, 0 to 1 each, of the viewer's actions once the post was shown. */
export type Predictions = Readonly<Record<Outcome, number>>;

/** Estimates what a viewer does with a post. Pure and fast: it runs for every candidate of every read. */
export interface Predictor {
  predict(features: Features): Predictions;
}
