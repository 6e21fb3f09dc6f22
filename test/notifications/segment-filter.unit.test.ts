import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkTypes } from '../../src/domains/notifications/segments/check-types.js';
import { compileFilter } from '../../src/domains/notifications/segments/compile.js';
import type { Filter } from '../../src/domains/notifications/segments/filter.js';
import { narrow } from '../../src/domains/notifications/segments/narrow.js';
import { nearestName } from '../../src/domains/notifications/segments/nearest-name.js';
import { parseFilter } from '../../src/domains/notifications/segments/parse.js';
import { printFilter } from '../../src/domains/notifications/segments/print.js';
import { FilterFault } from '../../src/domains/notifications/segments/read-literal.js';
import { filters, NOW, TYPES } from './segment-filters.js';

function parsed(text: string): Filter {
  const filter = parseFilter(text);
  if (filter instanceof FilterFault)
    throw new Error(`${filter.at.line}:${filter.at.column} ${filter.message} in ${text}`);
  return filter;
}

/** Without the positions. */
const bare = (filter: Filter): unknown =>
  JSON.parse(JSON.stringify(filter, (key, value) => (key === 'at' ? undefined : value)));

const faultOf = (text: string): string => {
  const filter = parseFilter(text);
  if (filter instanceof FilterFault) return `${filter.at.line}:${filter.at.column} ${filter.message}`;
  return checkTypes(filter, TYPES)
    .map(({ code, message, at }) => `${at.line}:${at.column} ${code} ${message}`)
    .join(' | ');
};

describe('the canonical text of a filter', () => {
  it('parses to the same filter', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        const text = printFilter(filter);
        fc.pre(Buffer.byteLength(text) <= 8_192);
        expect(bare(parsed(text))).toEqual(bare(filter));
        expect(printFilter(parsed(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['plan="pro"', 'plan = "pro"'],
    ['PLAN', undefined],
    ['((plan = "a")) AND (active=true and (score<-1.50))', 'plan = "a" and active = true and score < -1.5'],
    ['plan = "a" or (active = true and score < 1)', 'plan = "a" or active = true and score < 1'],
    ['(plan = "a" or active = true) and score < 1', '(plan = "a" or active = true) and score < 1'],
    ['not(NOT plan exists)', 'not not (plan exists)'],
    ['since>now()-07d or since\n<= 2026-01-31T01:00:00+01:00', 'since > now() - 7d or since <= 2026-01-31'],
    ['since = now() + 0h', 'since = now()'],
    ['plan = "\\u0041\\n"', 'plan = "A\\n"'],
    ['tags contains "x" and hasDevice ( "IOS" )', 'tags contains "x" and hasDevice("IOS")'],
    ['android = 1 and notes = 2 and order = 3', 'android = 1 and notes = 2 and order = 3'],
  ])('of %s is %s', (text, canonical) => {
    const filter = parseFilter(text);
    expect(filter instanceof FilterFault ? undefined : printFilter(filter)).toBe(canonical);
  });
});

describe('a fault', () => {
  it.each([
    ['', '1:1 the filter ends early: expected "not", "(" or an attribute'],
    ['plan = ', '1:7 the filter ends early: expected a text in double quotes, "-", a number'],
    ['plan = "pro" and\n  (score > 1', '2:13 the filter ends early: expected "and", "or" or ")"'],
    ['plan "pro"', '1:6 expected = != < <= > >=, "in", "contains", "exists" or "(", found "pro"'],
    ['plan = "pro" score = 1', '1:14 expected "and", "or" or the end, found score'],
    ['plan = "pro")', '1:13 expected "and", "or" or the end, found )'],
    ['plan in ("a" "b")', '1:14 expected "," or ")", found "b"'],
    ['plan in ()', '1:10 expected a text in double quotes'],
    ['plan = "pro', '1:8 the text that begins here does not end on its line'],
    ['plan = “pro”', '1:8 unexpected "“"'],
    ['plan = "a\tb"', '1:8 control characters are written as in JSON'],
    ['plan = "\\u0000"', '1:8 the text is not well-formed Unicode, or holds a NUL'],
    ['plan = "\\ud800"', '1:8 the text is not well-formed Unicode, or holds a NUL'],
    ['score = 1e999', '1:9 the number is too large'],
    ['since > 2026-02-30', '1:9 there is no such day or time as 2026-02-30'],
    ['since > now() - 7', '1:17 expected a duration like 7d'],
    ['plam = "pro"', '1:1 ATTRIBUTE_UNKNOWN nobody has an attribute plam; did you mean plan?'],
    [
      'LastSeenDays > 1',
      '1:1 ATTRIBUTE_UNKNOWN nobody has an attribute LastSeenDays; did you mean lastSeenDays?',
    ],
    ['zzzzzzzzzz = 1', '1:1 ATTRIBUTE_UNKNOWN nobody has an attribute zzzzzzzzzz'],
    ['plan = 1', '1:8 ATTRIBUTE_TYPE plan is a text and cannot be compared with a number'],
    ['score = "1"', '1:9 ATTRIBUTE_TYPE score is a number and cannot be compared with a text'],
    [
      'score in (1, "x", true)',
      '1:14 ATTRIBUTE_TYPE score is a number and cannot be compared with a text | 1:19 ATTRIBUTE_TYPE score',
    ],
    [
      'since > "2026-01-31"',
      '1:9 ATTRIBUTE_TYPE since is a date-time and cannot be compared with a text; dates are written without quotes',
    ],
    ['active > true', '1:1 ATTRIBUTE_TYPE active is a boolean: it has no order, only = and !='],
    ['tags = "x"', '1:1 ATTRIBUTE_TYPE tags is a list of texts: it can be asked by contains and exists'],
    ['plan contains "x"', '1:1 ATTRIBUTE_TYPE plan is a text: contains asks about lists'],
    ['hasDevice = true', '1:1 FILTER_INVALID hasDevice asks about a platform: hasDevice("IOS")'],
    ['hasDevice("ios")', '1:11 FILTER_INVALID hasDevice takes one of "IOS", "ANDROID", "WEB"'],
    ['plan("IOS")', '1:1 FILTER_INVALID there is no plan(…)'],
  ])('of %s is %s', (text, fault) => {
    expect(faultOf(text).slice(0, fault.length)).toBe(fault);
  });

  it('of names and types is reported ten times at most', () => {
    const filter = Array.from({ length: 50 }, (_, n) => `plam${n} = 1`).join(' or ');
    expect(faultOf(filter).split(' | ')).toHaveLength(10);
    expect(faultOf(filter).match(/did you mean/g)).toHaveLength(1);
  });
});

describe('the bounds of a filter', () => {
  const nested = (depth: number): string => `${'('.repeat(depth)}plan = "a"${')'.repeat(depth)}`;

  it('are 50 levels of groups and negations, however they are written', () => {
    expect(faultOf(nested(50))).toBe('');
    expect(faultOf(nested(51))).toBe('1:51 groups and negations lie more than 50 deep within each other');
    const negated = (depth: number) => `${'not '.repeat(depth)}plan in ("a")`;
    expect(printFilter(parsed(negated(50)))).toMatch(/^(not ){50}\(plan in \("a"\)\)$/);
    expect(faultOf(printFilter(parsed(negated(50))))).toBe('');
    expect(faultOf(negated(51))).toMatch(/^1:201 .* deep/);
    const both = (depth: number) =>
      `${'not (plan = "b" or '.repeat(40)}${'not ('.repeat(depth - 40)}plan = "a"${')'.repeat(depth)}`;
    expect(faultOf(both(50))).toBe('');
    expect(faultOf(both(51))).toMatch(/deep/);
  });

  it.each([
    ['1,000 groups', nested(1_000)],
    ['1,000 groups that do not end', '('.repeat(1_000)],
    ['8,192 groups', '('.repeat(8_192)],
    ['2,000 negations', 'not '.repeat(2_000)],
    ['1,000 calls', 'a('.repeat(1_000)],
    ['1,000 lists', 'plan in ('.repeat(900)],
  ])('refuse %s without a stack overflow', (_, text) => {
    expect(faultOf(text)).toMatch(/^1:\d+ (groups and negations lie|expected)/);
  });

  it('are 8 KB of text, as it is given and as it is written out, and 200 values in a list', () => {
    expect(faultOf(`plan = "${'ä'.repeat(4_100)}"`)).toBe('1:1 a filter has at most 8192 bytes');
    const tight = Array.from({ length: 20 }, () => `score in (${Array(180).fill('1').join(',')})`).join(
      ' or ',
    );
    expect([tight.length < 8_192, faultOf(tight)]).toEqual([true, '1:1 a filter has at most 8192 bytes']);
    const list = (size: number) => `score in (${Array(size).fill('1').join(',')})`;
    expect([faultOf(list(200)), faultOf(list(201))]).toEqual(['', '1:411 a list has at most 200 values']);
  });
});

describe('the questions of a filter', () => {
  const asked = (count: number) => Array(count).fill('hasDevice("IOS")').join(' and\n');

  it('are 50 at most', () => {
    expect([faultOf(asked(50)), faultOf(asked(51))]).toEqual(['', '51:1 a filter has at most 50 questions']);
    expect(faultOf(`not (${asked(30)}) or (${asked(21)})`)).toBe('50:1 a filter has at most 50 questions');
  });

  it('are asked once where they are the same beside each other', () => {
    const textOf = (filter: string) => compileFilter(parsed(filter), { attributes: TYPES, now: NOW }).from(1);
    expect(textOf(asked(50))).toBe(`(${textOf('hasDevice("IOS")')})`);
    const either = '(plan = "a" or score < 1)';
    expect(textOf(`${either} and active = true and (${either})`)).toBe(textOf(`${either} and active = true`));
  });
});

it('the nearest name is found by its letters, and only where it is near', () => {
  expect(nearestName('visist', ['visitors', 'visits', 'vis', 'v'])).toBe('visits');
  expect(nearestName('Plan', ['planet', 'plan'])).toBe('plan');
  // Three letters differ, of which two may.
  expect(nearestName('abcde', ['abxyz', 'abcdefgh'])).toBe(undefined);
  expect(nearestName('abcde', ['abcxy', 'abcdefg'])).toBe('abcxy');
});

describe('compiled SQL', () => {
  it('holds nothing that a caller wrote, and one parameter for each value', () => {
    fc.assert(
      fc.property(filters, fc.integer({ min: 1, max: 9 }), (filter, first) => {
        const { from, values } = compileFilter(filter, { attributes: TYPES, now: NOW });
        const text = from(first);
        const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
        expect(new Set(numbers)).toEqual(new Set(values.map((_, index) => first + index)));
        expect(text.replaceAll(/COLLATE "C"/g, '')).not.toMatch(/["']/);
        expect(text).not.toMatch(/\b(pro|plan|score|tags|since|active|constructor)\b/);
      }),
    );
  });

  it.each([
    ['plan = "a" and score > 1', 'i.attributes @> ANY ($1::jsonb[])', [['{"plan":"a"}']]],
    [
      'plan = "a" and tags contains "x"',
      'i.attributes @> ANY ($1::jsonb[]) AND i.attributes @> ANY ($2::jsonb[])',
      [['{"plan":"a"}'], ['{"tags":["x"]}']],
    ],
    [
      'plan in ("a", "b") or score = 1',
      'i.attributes @> ANY ($1::jsonb[])',
      [['{"plan":"a"}', '{"plan":"b"}', '{"score":1}']],
    ],
    ['userId in ("a", "b") and plan = "a"', 'i.user_id = ANY ($1::text[])', [['a', 'b']]],
    ['plan = "a" or score > 1', undefined, undefined],
    ['plan = "a" or userId = "a"', undefined, undefined],
    ['not (plan = "a")', undefined, undefined],
    ['country = "DE"', undefined, undefined],
  ])('of %s asks an index for %s', (text, condition, values) => {
    const narrowing = narrow(parsed(text), NOW);
    expect([narrowing?.from(1), narrowing?.values]).toEqual([condition, values]);
  });
});
