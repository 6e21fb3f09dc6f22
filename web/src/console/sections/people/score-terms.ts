const KNOWN = [
  'like',
  'comment',
  'share',
  'click',
  'hide',
  'affinity',
  'recency',
  'quality',
  'negative',
  'freshness',
  'diversity',
  'mix',
  'unscored',
] as const;

export interface ExplainedTerm {
  readonly name: string;
  /** Its name where the messages explain it; a ranking of later versions may have others. */
  readonly known: (typeof KNOWN)[number] | undefined;
  readonly weight: number;
  readonly value: number;
  /** What it adds to the score. */
  readonly share: number;
}

/** The terms of a score that change it, those that change it most first. */
export function explain(
  terms: readonly { readonly name: string; readonly value: number; readonly weight: number }[],
): readonly ExplainedTerm[] {
  return terms
    .map(({ name, value, weight }) => ({
      ...{ name, value, weight, share: value * weight },
      known: KNOWN.find((one) => one === name),
    }))
    .filter(({ share }) => Math.abs(share) >= 0.0005)
    .sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
}
