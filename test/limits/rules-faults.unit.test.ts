import { describe, expect, it, test } from 'vitest';
import { readDocument } from '../../src/domains/limits/rules/read-document.js';
import { faultsOf, faultsOfRule, minute } from './rule-faults.js';

describe('a document is refused with the place of its fault', () => {
  test.each<[string, string, string[]]>([
    ['nothing at all', '', ['1:1 the document is empty']],
    ['a comment alone', '# soon\n', ['1:1 the document is empty']],
    ['a list', '- a\n', ['1:1 a rule document is a mapping with domain and descriptors; got a list']],
    ['a text', 'hello', ["1:1 a rule document is a mapping with domain and descriptors; got 'hello'"]],
    ['an empty mapping', '{}', ['1:1 domain is missing', '1:1 descriptors is missing']],
    ['no domain', 'descriptors: []', ['1:1 domain is missing']],
    ['an empty domain', "domain: ''\ndescriptors: []", ['1:9 domain must not be empty']],
    [
      'a number as domain',
      'domain: 7\ndescriptors: []',
      ['1:9 domain must be a text; got 7 (put it in quotes)'],
    ],
    ['no descriptors', 'domain: d', ['1:1 descriptors is missing']],
    [
      'descriptors without a value',
      'domain: d\ndescriptors:\n',
      ['2:13 descriptors must be a list; got nothing'],
    ],
    [
      'a mapping of descriptors',
      'domain: d\ndescriptors: { a: 1 }',
      ['2:14 descriptors must be a list; got a mapping'],
    ],
    [
      'a descriptor that is none',
      'domain: d\ndescriptors:\n  - global',
      ["3:5 must be a mapping; got 'global'"],
    ],
    [
      'an unknown key at the top',
      'domain: d\ndescriptors: []\nrules: 1',
      ["3:1 unknown key 'rules'; allowed here: domain, descriptors"],
    ],
    ['broken YAML', 'domain: "d\n', ['2:1 not valid YAML: Missing closing "quote']],
    [
      'two documents',
      'domain: d\ndescriptors: []\n---\ndomain: e\n',
      ['4:1 only one document is allowed in a file'],
    ],
    ['a directive', '%YAML 1.1\n---\ndomain: d\ndescriptors: []\n', ['1:1 directives (%) are not allowed']],
    ['a duplicate key', 'domain: d\ndomain: e\ndescriptors: []', ["2:1 duplicate key 'domain'"]],
    ['a key that is a list', 'domain: d\ndescriptors: []\n? [a]\n: 1', ['3:3 a key must be a plain name']],
    ['a tag', 'domain: !!str d\ndescriptors: []', ["1:15 tags are not allowed; got 'tag:yaml.org,2002:str'"]],
    [
      'an anchor',
      'domain: &a d\ndescriptors: []',
      ['1:12 anchors, aliases and merge keys are not allowed: write the values out'],
    ],
    ['a NUL', 'domain: d\ndesc\0', ['2:5 the control character U+0000 is not allowed']],
    ['half a surrogate pair', 'domain: d\n# \ud83d', ['2:3 half a surrogate pair is no text']],
    [
      'half a surrogate pair behind an escape',
      '{"domain": "\\ud83d", "descriptors": []}',
      ['1:12 domain must not hold half a surrogate pair'],
    ],
    [
      'a NUL behind an escape',
      '{"domain": "\\u0000", "descriptors": []}',
      ['1:12 domain must not hold control characters'],
    ],
  ])('%s', (_, document, faults) => expect(faultsOf(document)).toEqual(faults));

  test('a merge key', () => {
    expect(
      faultsOfRule('key: global', 'rate_limit:', '  <<: { unit: minute }', '  requests_per_unit: 1'),
    ).toEqual([
      '5:5 anchors, aliases and merge keys are not allowed: write the values out',
      '5:5 unit is missing: second, minute, hour or day',
    ]);
  });

  test('an alias, and a value that begins with * and is taken for one', () => {
    const references = 'anchors, aliases and merge keys are not allowed: write the values out';
    expect(faultsOf('domain: &a d\ndescriptors: *a')).toContain(
      `2:14 ${references}; a value that begins with * needs quotes`,
    );
    expect(faultsOfRule('key: endpoint', 'value: *.createOrder', `rate_limit: ${minute}`)).toContain(
      `4:10 ${references}; a value that begins with * needs quotes`,
    );
  });
});

it('all faults are reported at once, in the order of the document and with the path to each', () => {
  const read = readDocument(`descriptors:
  - key: global
    rate_limit: { requests_per_unit: -1, unit: fortnight }
  - key: user_id
    descriptors:
      - key: plan
        value: 9
        rate_limits:
          - { requests_per_unit: 1, unit: day, shadow: 1 }
colour: &red red
`);
  expect(read.ok ? [] : read.faults.map(({ line, path }) => [line, path.join('.')])).toEqual([
    [1, ''],
    [3, 'descriptors.0.rate_limit.requests_per_unit'],
    [3, 'descriptors.0.rate_limit.unit'],
    [7, 'descriptors.1.descriptors.0.value'],
    [9, 'descriptors.1.descriptors.0.rate_limits.0.shadow'],
    [10, 'colour'],
    [10, 'colour'],
  ]);
});

it('of very many faults the first 100 are reported', () => {
  const faults = faultsOf(`domain: d\ndescriptors:\n${'- a\n'.repeat(500)}`);
  expect(faults).toHaveLength(100);
  expect(faults.at(-1)).toMatch(/^102:3 /);
});

it('what a fault shows of a value is short, on one line and whole text, whatever the value is', () => {
  const [fault] = faultsOf(
    JSON.stringify({ domain: 'd', descriptors: [`\n\0\ud83d\u2028${'x'.repeat(500)}`] }),
  );
  expect(fault).toMatch(/^1:\d+ must be a mapping; got '\ufffd{4}x{36}…'$/);
});

it('2,000 rules are read, and one more is refused where it stands', () => {
  const rules = (count: number) =>
    `domain: d\ndescriptors:\n${Array.from({ length: count }, (_, n) => `- { key: user_id, value: u${n}, rate_limit: ${minute} }\n`).join('')}`;
  expect(faultsOf(rules(2_000))).toEqual([]);
  expect(faultsOf(rules(2_001))).toEqual(['2003:3 more than 2000 rules in one document']);
});
