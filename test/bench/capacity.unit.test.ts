import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundsOf } from '../../bench/capacity/bounds.ts';
import type { Inputs } from '../../bench/capacity/demand.ts';
import { guideTables } from '../../bench/capacity/guide.ts';
import { entries, parseOwn, readInputs } from '../../bench/capacity/inputs.ts';
import { type Plan, planFor } from '../../bench/capacity/model.ts';
import { fillGuide } from '../../bench/capacity/tables.ts';

const inputs = await readInputs();
const guide = readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8');
const users = fc.integer({ min: 1, max: 2_000_000_000 });

/** What a plan comes to, by name: nothing of it may shrink when there is more to do. */
const sizesOf = ({ tiers, demand }: Plan): Readonly<Record<string, number>> => ({
  ...demand,
  ...Object.fromEntries(
    tiers.flatMap(({ name, cores, memoryGb, diskTb, machines }) => [
      [`${name} cores`, cores],
      [`${name} memory`, memoryGb],
      [`${name} disk`, diskTb],
      [`${name} machines`, machines],
    ]),
  ),
});

function expectNoneSmaller(large: Plan, small: Plan): void {
  const sizes = sizesOf(large);
  for (const [name, size] of Object.entries(sizesOf(small)))
    expect(sizes[name], name).toBeGreaterThanOrEqual(size * (1 - 1e-9));
}

const withFigure = (name: keyof Inputs['figures'], times: number, of = inputs): Inputs => ({
  ...of,
  figures: { ...of.figures, [name]: of.figures[name] * times },
});
const all = Object.keys(inputs.figures) as (keyof Inputs['figures'])[];
/** What one operation takes; others are sizes of what there is, of which more is better. */
const costs = all.filter((name) => /^(api|worker|postgres|redis)MsA|^walBytesA|^redisBytesA/.test(name));

it('docs/scale.md has every table as the simulator makes it of its inputs (npm --prefix bench run --silent capacity -- --write)', async () => {
  expect(fillGuide(guide, await guideTables())).toBe(guide);
});

it('a table that differs from the simulator is noticed', async () => {
  const other = guide.replace(/^(\| feed pages a second +\| )\d/m, '$1x');
  expect(other).not.toBe(guide);
  expect(fillGuide(other, await guideTables())).toBe(guide);
});

it('every measured figure says where and when it was measured, and every unit is in its name or the same in all of its kind', () => {
  for (const [name, { unit, from }] of Object.entries(entries.figures)) {
    expect(from, name).toMatch(/, 2026-\d\d-\d\d|^default of|^docs\//);
    if (/Ms(A|An)[A-Z]/.test(name)) expect(unit, name).toBe('ms of CPU');
    if (/Bytes(A|An)[A-Z]/.test(name)) expect(unit, name).toBe('bytes');
  }
});

it('more users never need less of anything', () => {
  fc.assert(
    fc.property(users, users, (one, other) => {
      const [fewer, more] = [Math.min(one, other), Math.max(one, other)];
      expectNoneSmaller(planFor(more, inputs), planFor(fewer, inputs));
    }),
  );
});

it('an operation that costs twice as much never lowers a need, and never moves a bound away', () => {
  fc.assert(
    fc.property(users, fc.constantFrom(...costs), (count, name) => {
      const dearer = withFigure(name, 2);
      expectNoneSmaller(planFor(count, dearer), planFor(count, inputs));
      for (const bound of boundsOf(dearer)) {
        const before = boundsOf(inputs).find((one) => one.name === bound.name);
        expect(bound.users, `${bound.name}, ${name}`).toBeLessThanOrEqual(before!.users * (1 + 1e-9));
      }
    }),
  );
});

it('each cost of an operation is in the plan: twice as much of it is more of something', () => {
  // Otherwise apis are as many as sockets ask for, whatever a page costs.
  const roomy = withFigure('socketsAProcess', 1e6);
  const before = sizesOf(planFor(1e9, roomy));
  for (const name of costs)
    expect(sizesOf(planFor(1e9, withFigure(name, 2, roomy))), name).not.toEqual(before);
});

it('demand is proportional to users: one of every unit, whatever the size', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 2, max: 1_000 }),
      (count, times) => {
        const [one, many] = [planFor(count, inputs).demand, planFor(count * times, inputs).demand];
        for (const [name, value] of Object.entries(one))
          expect(many[name as keyof typeof many] / times / value, name).toBeCloseTo(1, 9);
      },
    ),
  );
});

it('the load that is required comes out: 10 billion pages, 500 million posts and 100 million notifications a day', () => {
  const { demand } = planFor(5e8, inputs);
  const { requestsPeakToMean, notificationsPeakToMean, followsOfAUser } = inputs.load;
  const aDay = 86_400;
  expect((demand.pagesASecond / requestsPeakToMean) * aDay).toBeCloseTo(1e10, -2);
  expect((demand.pushesASecond / requestsPeakToMean / followsOfAUser) * aDay).toBeCloseTo(5e8, -2);
  expect((demand.notificationsASecond / notificationsPeakToMean) * aDay).toBeCloseTo(1e8, -2);
  expect(demand.notificationsASecond).toBeGreaterThan(4_900);
  expect(demand.notificationsASecond).toBeLessThan(5_100);
});

it('more than one Postgres is never planned without saying what it needs', () => {
  fc.assert(
    fc.property(users, (count) => {
      for (const { name, machines, needs } of planFor(count, inputs).tiers)
        if (machines > 2 && name.startsWith('Postgres')) expect(needs, name).toBeDefined();
    }),
  );
});

it('a bound is reached by who is beyond it, and by nobody below', () => {
  for (const bound of boundsOf(inputs)) {
    const names = (count: number) => planFor(count, inputs).reached.map(({ name }) => name);
    expect(names(bound.users * 1.01)).toContain(bound.name);
    expect(names(bound.users * 0.99)).not.toContain(bound.name);
  }
});

it('a file of own figures replaces those that it names, and an unknown name or a text is refused by its name', () => {
  const known = new Set(['apiMsAPage', 'apiMsAPost']);
  expect(parseOwn('own.json', '{"apiMsAPage": 2, "apiMsAPost": {"value": 3}}', known)).toEqual({
    apiMsAPage: 2,
    apiMsAPost: 3,
  });
  expect(() => parseOwn('own.json', '{"apiMsAPgae": 2}', known)).toThrow('own.json: apiMsAPgae');
  expect(() => parseOwn('own.json', '{"apiMsAPage": "fast"}', known)).toThrow('own.json: apiMsAPage');
});
