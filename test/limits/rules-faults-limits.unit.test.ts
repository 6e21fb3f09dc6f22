import { describe, expect, it, test } from 'vitest';
import { compiled } from './compiled.js';
import { faultsOfRule, minute } from './rule-faults.js';

const settings =
  'requests_per_unit, unit, algorithm, burst, soft_limit, action, fail, shadow, unlimited, cost';
const whole = 'must be a whole number from 1 to 2147483647; got';

describe('a limit is refused with the place of its fault', () => {
  test.each<[string, string, string[]]>([
    ['no unit', 'requests_per_unit: 1', ['4:15 unit is missing: second, minute, hour or day']],
    ['no number', 'unit: day', ['4:15 requests_per_unit is missing']],
    [
      'an unknown unit',
      'requests_per_unit: 1, unit: fortnight',
      ["4:45 unit must be second, minute, hour or day; got 'fortnight'"],
    ],
    ['zero', 'unit: day, requests_per_unit: 0', [`4:47 requests_per_unit ${whole} 0`]],
    ['a negative number', 'unit: day, requests_per_unit: -5', [`4:47 requests_per_unit ${whole} -5`]],
    ['a fraction', 'unit: day, requests_per_unit: 1.5', [`4:47 requests_per_unit ${whole} 1.5`]],
    [
      'too large a number',
      'unit: day, requests_per_unit: 2147483648',
      [`4:47 requests_per_unit ${whole} 2147483648`],
    ],
    ['infinity', 'unit: day, requests_per_unit: .inf', [`4:47 requests_per_unit ${whole} Infinity`]],
    ['a number in quotes', "unit: day, requests_per_unit: '5'", [`4:47 requests_per_unit ${whole} '5'`]],
    [
      'an unknown field',
      'requests_per_unit: 1, unit: day, per: 2',
      [`4:50 unknown key 'per'; allowed here: ${settings}`],
    ],
    [
      'a name of a single limit',
      'requests_per_unit: 1, unit: day, name: x',
      [`4:50 unknown key 'name'; allowed here: ${settings}`],
    ],
    [
      'an unknown algorithm',
      'requests_per_unit: 1, unit: day, algorithm: guess',
      [
        "4:61 algorithm must be fixed_window, sliding_window_log, sliding_log, sliding_window_counter, sliding_counter, token_bucket or leaky_bucket; got 'guess'",
      ],
    ],
    [
      'a burst that takes more than ten years to come back',
      'requests_per_unit: 1, unit: day, algorithm: leaky_bucket, burst: 3651',
      ['4:82 burst must come back within 3650 days: it is 3651, at 1 a day'],
    ],
    [
      'a burst of a window',
      'requests_per_unit: 1, unit: day, burst: 5',
      ['4:50 burst is for token_bucket and leaky_bucket, not for fixed_window'],
    ],
    [
      'a soft limit as high as the limit',
      'requests_per_unit: 5, unit: day, soft_limit: 5',
      ['4:62 soft_limit must be below the limit, 5; got 5'],
    ],
    [
      'a soft limit of zero',
      'requests_per_unit: 5, unit: day, soft_limit: 0',
      [`4:62 soft_limit ${whole} 0`],
    ],
    [
      'a cost above the limit',
      'requests_per_unit: 5, unit: day, cost: 6',
      ['4:56 cost must not be above the limit, 5: nothing could be admitted; got 6'],
    ],
    [
      'a long log',
      'requests_per_unit: 10001, unit: day, algorithm: sliding_log',
      ['4:36 sliding_window_log keeps every request: 10000 at most; got 10001'],
    ],
    [
      'an unknown failure',
      'requests_per_unit: 5, unit: day, fail: half',
      ["4:56 fail must be open or closed; got 'half'"],
    ],
    [
      'shadow: yes',
      'requests_per_unit: 5, unit: day, shadow: yes',
      ["4:58 shadow must be true or false; got 'yes'"],
    ],
    [
      'unlimited with a number',
      'requests_per_unit: 5, unlimited: true',
      ['4:17 requests_per_unit means nothing where unlimited is true'],
    ],
  ])('%s', (_, limit, faults) =>
    expect(faultsOfRule('key: global', `rate_limit: { ${limit} }`)).toEqual(faults),
  );

  test.each<[string, string[], string[]]>([
    [
      'a setting beside it and inside',
      ['shadow: true', 'rate_limit: { requests_per_unit: 1, unit: day, shadow: true }'],
      ['5:50 shadow is said beside the limit and inside it: say it once'],
    ],
    [
      'an action beside it and inside',
      ['action: throttle', 'rate_limit: { requests_per_unit: 1, unit: day, action: reject }'],
      ['5:50 action is said beside the limit and inside it: say it once'],
    ],
    ['a number instead of a limit', ['rate_limit: 10'], ['4:15 rate_limit must be a mapping; got 10']],
    ['no windows', ['rate_limits: []'], ['4:16 rate_limits must hold at least one limit']],
    [
      'the same unit twice',
      [`rate_limits: [${minute}, { name: other, requests_per_unit: 3, unit: minute }]`],
      ['4:101 this unit stands in rate_limits already'],
    ],
    [
      'the same name twice',
      [`rate_limits: [${minute}, { name: per_minute, requests_per_unit: 3, unit: day }]`],
      ["4:66 a limit named 'per_minute' stands in rate_limits already"],
    ],
    [
      'a name that no header takes',
      ['rate_limits: [{ name: a b, requests_per_unit: 3, unit: day }]'],
      ["4:25 name must be 1 to 64 of letters, digits, '_', '.' and '-'; got 'a b'"],
    ],
    [
      'one unlimited window',
      ['rate_limits: [{ unlimited: true }]'],
      ['4:19 unlimited is for all windows at once: it takes the place of rate_limits'],
    ],
    [
      'unlimited with a burst',
      ['unlimited: true', 'burst: 5'],
      ['5:3 burst means nothing where unlimited is true'],
    ],
    [
      'a burst for windows of which one has none',
      ['burst: 9', 'algorithm: sliding_counter', `rate_limits: [${minute}]`],
      ['4:3 burst is for token_bucket and leaky_bucket, not for sliding_window_counter'],
    ],
  ])('%s', (_, lines, faults) => expect(faultsOfRule('key: user_id', ...lines)).toEqual(faults));
});

it('an action may stand in each limit, as the other settings may', () => {
  const rules = compiled(`domain: d
descriptors:
  - { key: global, rate_limit: { requests_per_unit: 1, unit: day, action: throttle } }
  - key: user_id
    rate_limits: [{ requests_per_unit: 1, unit: second, action: throttle }, { requests_per_unit: 9, unit: day }]
  - { key: endpoint, value: login, rate_limit: { unlimited: true, fail: closed, action: throttle } }
`);
  expect(rules.tiers.map(({ action }) => action)).toEqual(['throttle', 'throttle', 'reject', 'throttle']);
});
