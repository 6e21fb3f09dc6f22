import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rank } from '../../src/domains/feed/ranking/rank.js';
import { candidate, contextOf, postBy, shipped } from './ranking-posts.js';

const guide = readFileSync(new URL('../../docs/feed/ranking.md', import.meta.url), 'utf8');

const ofAda = (n: number, hours: number) =>
  candidate(
    postBy('ada', {
      postId: `01890000-0000-7000-8000-00000000000${n}`,
      hours,
      likeCount: 12,
      commentCount: 3,
      shareCount: 1,
    }),
  );
const { ranked } = rank([ofAda(1, 6), ofAda(2, 7)], contextOf({ affinityOf: () => 0.5 }));

it('scores the example of the guide as the guide says', () => {
  const rows = [...guide.matchAll(/^\| `(\w+)` +\| (-?[\d.]+) +\| (-?[\d.]+) +\|$/gm)];
  expect(rows.map(([, name, weight, value]) => [name, Number(weight), value])).toEqual(
    ranked[1]!.terms.map(({ name, weight, value }) => [name, weight, value.toFixed(5)]),
  );
  const [first, second] = ranked.map(({ score }) => score.toFixed(5));
  expect(guide).toContain(`They score ${first} and ${second}`);
});

it('gives every weight of the configuration in the guide', () => {
  for (const [name, weight] of Object.entries(shipped.weights)) {
    const row = guide.split('\n').find((line) => line.startsWith('| `') && line.includes(`\`${name}\``))!;
    expect(row, name).toMatch(new RegExp(`[ −-]${weight}[ ,]`));
  }
});
