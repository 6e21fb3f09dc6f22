/** What each term of a score weighs. None is negative: `hide`, `negative`, `diversity` and `mix` are subtracted. */
export interface RankingWeights {
  readonly like: number;
  readonly comment: number;
  readonly share: number;
  readonly click: number;
  readonly hide: number;
  readonly affinity: number;
  readonly recency: number;
  readonly quality: number;
  readonly negative: number;
  readonly freshness: number;
  readonly diversity: number;
  readonly mix: number;
}
