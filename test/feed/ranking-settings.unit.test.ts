import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadRankingSettings } from '../../src/domains/feed/ranking/settings.js';
import { ConfigError } from '../../src/platform/config.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ranking-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function load(document: string) {
  const path = join(folder, 'ranking.yaml');
  writeFileSync(path, document);
  return loadRankingSettings(path);
}
function faultsOf(load: () => unknown): readonly string[] {
  try {
    load();
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  throw new Error('nothing is wrong');
}

it('ships with the numbers of the news feed document', () => {
  const { affinity, recency, stages, authorDiversity } = loadRankingSettings();
  expect(affinity.interactions).toMatchObject({
    like: 1,
    comment: 3,
    share: 5,
    directMessage: 7,
    profileVisit: 2,
    tag: 4,
  });
  expect(recency.halfLifeHours).toBe(6);
  expect(stages).toEqual({ candidates: 1_000, scored: 300, budgetMs: 30 });
  expect(authorDiversity).toEqual({ decay: 0.5, floor: 0.25 });
});

it('lays a document over them: what it does not name stays', () => {
  const shipped = loadRankingSettings();
  expect(load('weights:\n  recency: 7\n')).toEqual({
    ...shipped,
    weights: { ...shipped.weights, recency: 7 },
  });
  expect(load('')).toEqual(shipped);
  expect(load('weights:\n')).toEqual(shipped);
});

it('names everything that is wrong at once, each by its path', () => {
  const faults = faultsOf(() =>
    load('weights: { like: -1, lik: 2 }\nrecency: { halfLifeHours: soon }\npredictor: 5\nsurprise: 1\n'),
  );
  for (const path of ['weights.like', 'recency.halfLifeHours', 'predictor', 'lik"', 'surprise'])
    expect(faults.filter((fault) => fault.includes(path))).toHaveLength(1);
  expect(faults.every((fault) => fault.startsWith('FEED_RANKING: '))).toBe(true);
});

it('says so where there is no document, or none that is YAML', () => {
  expect(faultsOf(() => loadRankingSettings(join(folder, 'none.yaml')))).toEqual([
    expect.stringContaining('ENOENT'),
  ]);
  expect(faultsOf(() => load('weights: [1, 2'))).toHaveLength(1);
  expect(faultsOf(() => load('- a list'))).toHaveLength(1);
});
