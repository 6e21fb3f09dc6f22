import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { ConfigError } from '../../../platform/config.js';

const weight = z.number().min(0).max(1_000_000);
const share = z.number().min(0).max(1);
const span = z.number().min(0.001).max(1_000_000);
const perOutcome = <T extends z.ZodType>(value: T) =>
  z.strictObject({ like: value, comment: value, share: value, click: value, hide: value });

/** In log-odds; not negative, or a score would fall where it should rise. */
const gain = z.number().min(0).max(20);
const loss = z.number().min(-20).max(0);
const gains = z.strictObject({ ...perOutcome(gain).shape, hide: loss });

const settings = z.strictObject({
  weights: z.strictObject({
    ...perOutcome(weight).shape,
    affinity: weight,
    recency: weight,
    quality: weight,
    negative: weight,
    freshness: weight,
    diversity: weight,
    mix: weight,
  }),
  recency: z.strictObject({ halfLifeHours: span }),
  freshness: z.strictObject({ hours: span }),
  stages: z.strictObject({
    candidates: z.int().min(1).max(1_000),
    scored: z.int().min(1).max(300),
    budgetMs: z.number().min(1).max(1_000),
  }),
  authorDiversity: z.strictObject({ decay: share, floor: share }),
  contentMix: z.strictObject({ halfAt: span }),
  affinity: z.strictObject({
    halfLifeDays: span,
    halfAt: span,
    interactions: z.strictObject({
      like: weight,
      comment: weight,
      share: weight,
      directMessage: weight,
      profileVisit: weight,
      tag: weight,
      hide: z.number().min(-1_000_000).max(0),
    }),
  }),
  predictor: z.strictObject({
    priors: perOutcome(share),
    strength: span,
    byAffinity: gains,
    byPopularity: gains,
  }),
});

/** All settings of ranking: `rules/ranking.yaml` describes each number. */
export type RankingSettings = z.infer<typeof settings>;

/** The weight of each term of a score. None is negative: `hide`, `negative`, `diversity` and `mix` are subtracted. */
export type RankingWeights = RankingSettings['weights'];

/** How terms are computed, and how many candidates a ranking looks at. */
export type RankingCurves = Pick<
  RankingSettings,
  'recency' | 'freshness' | 'stages' | 'authorDiversity' | 'contentMix'
>;

const SHIPPED = new URL('../../../../rules/ranking.yaml', import.meta.url);

/**
 * The settings that ship with the product, overridden by those of the document at `path`, if there is one.
 *
 * @throws ConfigError naming every value that is wrong
 */
export function loadRankingSettings(path?: string): RankingSettings {
  const shipped: unknown = parse(readFileSync(SHIPPED, 'utf8'));
  return readRankingSettings(path === undefined ? shipped : layOver(shipped, readDocument(path)));
}

/** @throws ConfigError naming every value that is wrong */
export function readRankingSettings(document: unknown): RankingSettings {
  const read = settings.safeParse(document);
  if (read.success) return read.data;
  throw new ConfigError(
    read.error.issues.map(
      ({ path, message }) => `FEED_RANKING: ${path.join('.') || 'the document'}: ${message}`,
    ),
  );
}

function readDocument(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError([`FEED_RANKING: ${error instanceof Error ? error.message : error}`]);
  }
}

/** An empty document changes nothing. */
function layOver(below: unknown, above: unknown): unknown {
  if (above === null || above === undefined) return below;
  if (!isSection(below) || !isSection(above)) return above;
  const merged = Object.entries(above).map(([name, value]) => [name, layOver(below[name], value)]);
  return { ...below, ...Object.fromEntries(merged) };
}

const isSection = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
