import { describe, expect, it } from 'vitest';
import { type ActiveAlert, evaluate } from '../../src/domains/notifications/alerts/evaluate.js';
import { quantile } from '../../src/domains/notifications/alerts/latency.js';
import type { Observation } from '../../src/domains/notifications/alerts/observation.js';
import { rules } from '../../src/domains/notifications/alerts/rules.js';
import { anObservation, everyTenSeconds, NOON, type Seen } from './observations.js';

const raised = (seen: readonly Observation[], active: readonly ActiveAlert[] = []) =>
  evaluate(rules, seen, active).raise.map(({ name, scope }) => (scope ? `${name} ${scope}` : name));
const resolved = (seen: readonly Observation[], ...names: string[]) => {
  const active = names.map((name) => {
    const [rule = '', scope = ''] = name.split(' ');
    return { alertId: name, name: rule, scope };
  });
  return evaluate(rules, seen, active).resolve.map(({ alertId }) => alertId);
};
/** Whether the rule fires after each of these seconds of what `seen` answers. */
const firesAfter = (name: string, seen: (second: number) => Seen, ...seconds: number[]) =>
  seconds.map((length) => raised(everyTenSeconds(length, seen)).includes(name));

describe('the rules', () => {
  it('are the document’s five, with its thresholds, times and severities, and the promises of the other priorities', () => {
    expect(
      rules.map(({ name, severity, threshold, forMs }) => [name, severity, threshold, forMs / 60_000]),
    ).toEqual([
      ['dead_letter_failure_rate', 'CRITICAL', 0.05, 0],
      ['delivery_success_rate', 'CRITICAL', 0.95, 2],
      ['high_priority_latency_p99', 'WARNING', 2, 1],
      ['consumer_lag_growth', 'WARNING', 10_000, 5],
      ['dead_letter_depth', 'CRITICAL', 10_000, 5],
      ['medium_priority_latency_p99', 'WARNING', 30, 1],
      ['low_priority_latency_p99', 'WARNING', 300, 1],
    ]);
  });

  it('raise nothing where nothing happens, and nothing where all is well', () => {
    expect(raised(everyTenSeconds(1_200, () => ({})))).toEqual([]);
    const well: Seen = {
      push: [1_000, 10],
      dead: { push: 9 },
      took: Array(100).fill(80),
      waiting: 9_000,
      depth: 9_000,
    };
    expect(raised(everyTenSeconds(1_200, () => well))).toEqual([]);
  });
});

describe('the dead letters’ failure rate', () => {
  const afterFiveMinutes = (reached: number, dead: number, last: Seen = {}) => {
    const seen = everyTenSeconds(300, (second) => (second === 100 ? { push: [reached, 0] } : {}));
    return raised([...seen.slice(0, -1), anObservation(seen.at(-1)!.at, { dead: { push: dead }, ...last })]);
  };

  it('is an alert above 5 %, at once, for the channel that it is of', () => {
    expect(afterFiveMinutes(95, 5)).toEqual([]);
    expect(afterFiveMinutes(94, 6)).toEqual(['dead_letter_failure_rate push']);
    expect(raised([anObservation(NOON, { dead: { sms: 2, push: 3 } })])).toEqual([
      'dead_letter_failure_rate push',
      'dead_letter_failure_rate sms',
    ]);
  });

  it('says it exactly, also where there was only one', () => {
    expect(afterFiveMinutes(0, 1)).toEqual(['dead_letter_failure_rate push']);
  });

  it('looks back five minutes and no further', () => {
    const seen = everyTenSeconds(400, (second) => (second === 50 ? { push: [1_000, 0] } : {}));
    const now = anObservation(NOON + 410_000, { dead: { push: 3 }, push: [50, 0] });
    expect(raised([...seen, now])).toEqual(['dead_letter_failure_rate push']);
    expect(raised([...seen.slice(0, 30), { ...now, at: NOON + 300_000 }])).toEqual([]);
  });

  it('knows five minutes from one observation, where it is the first of all', () => {
    const first = anObservation(NOON, { push: [100, 0], dead: { push: 4 } }, NOON - 300_000);
    expect(raised([first])).toEqual([]);
    expect(raised([{ ...first, dead: { push: 6 } }])).toEqual(['dead_letter_failure_rate push']);
  });
});

describe('the delivery success rate', () => {
  const rule = 'delivery_success_rate push';

  it('is an alert once it was below 95 % for two minutes', () => {
    const failing = (): Seen => ({ push: [94, 6] });
    expect(firesAfter(rule, failing, 60, 110, 120, 300)).toEqual([false, false, true, true]);
    expect(firesAfter(rule, () => ({ push: [95, 5] }), 300)).toEqual([false]);
  });

  it('is none where it recovered for a moment', () => {
    const recovering = (second: number): Seen => ({ push: second === 200 ? [5_000, 0] : [50, 50] });
    expect(firesAfter(rule, recovering, 190, 250, 320, 390)).toEqual([true, false, false, true]);
  });

  it('is none for one failed attempt a minute', () => {
    const rare = (second: number): Seen => ({ push: [0, second % 60 === 0 ? 1 : 0] });
    expect(firesAfter(rule, rare, 290)).toEqual([false]);
    expect(firesAfter(rule, (second) => ({ push: [0, second % 30 === 0 ? 1 : 0] }), 290)).toEqual([true]);
  });

  it('is nothing where a provider is left alone and messages wait for it, and all where none wait', () => {
    const outage =
      (waiting: number) =>
      (second: number): Seen =>
        second < 60 ? { push: [20, 80], waiting } : { waiting };
    expect(firesAfter(rule, outage(3), 240)).toEqual([true]);
    expect(firesAfter(rule, outage(0), 240)).toEqual([false]);
  });

  it('is each channel’s own', () => {
    const seen = everyTenSeconds(300, () => ({ push: [1_000, 0], sms: [0, 20] }));
    expect(raised(seen)).toEqual(['delivery_success_rate sms']);
  });

  it('is not counted from an observation that reaches back further than a minute', () => {
    const first = anObservation(NOON - 10_000, { push: [100_000, 0] }, NOON - 310_000);
    const failing = everyTenSeconds(120, () => ({ push: [0, 50] }));
    expect(raised([first, ...failing])).toEqual([rule]);
  });

  it('does not count time that nobody looked at', () => {
    const failing = everyTenSeconds(300, () => ({ push: [0, 50] }));
    const gap = failing.filter(({ at }) => at < NOON + 200_000 || at > NOON + 240_000);
    expect(raised(gap)).toEqual([]);
    expect(raised(failing.filter(({ at }) => at < NOON + 200_000 || at > NOON + 210_000))).toEqual([rule]);
  });
});

describe('the latency of medium and low priority', () => {
  it.each([
    ['medium', 29_000, 31_000],
    ['low', 290_000, 310_000],
  ] as const)(
    'of %s is an alert once one in a hundred takes longer than it promises',
    (priority, fine, late) => {
      const rule = `${priority}_priority_latency_p99`;
      const taking = (ms: number) => (): Seen => ({
        slower: { [priority]: [...Array(97).fill(90), ms, ms, ms] },
      });
      expect(firesAfter(rule, taking(late), 50, 60, 120)).toEqual([false, true, true]);
      expect(firesAfter(rule, taking(fine), 120)).toEqual([false]);
      expect(firesAfter('high_priority_latency_p99', taking(late), 120)).toEqual([false]);
    },
  );

  it('is not known of observations from before it was measured, which is no alert', () => {
    expect(raised(everyTenSeconds(120, () => ({ took: [9_000, 9_000] })))).toEqual([
      'high_priority_latency_p99',
    ]);
  });
});

describe('the latency of high priority', () => {
  const rule = 'high_priority_latency_p99';

  it('is an alert once more than one in a hundred took longer than 2 s, for a minute', () => {
    const slow = (count: number) => (): Seen => ({
      took: [...Array(200 - count).fill(90), ...Array(count).fill(2_400)],
    });
    expect(firesAfter(rule, slow(3), 50, 60, 120)).toEqual([false, true, true]);
    expect(firesAfter(rule, slow(2), 120)).toEqual([false]);
  });

  it('is none for one slow delivery of few', () => {
    expect(firesAfter(rule, (second) => ({ took: second === 60 ? [9_000] : [] }), 120)).toEqual([false]);
    const some = (second: number): Seen => ({ took: second % 20 === 0 ? [9_000] : [] });
    expect(firesAfter(rule, some, 120)).toEqual([true]);
  });

  it('is estimated from its bucket', () => {
    const [seen] = [anObservation(NOON, { took: [...Array(98).fill(60), 2_600, 2_900] })];
    expect(quantile(seen!.latency, 0.5)).toBeGreaterThanOrEqual(50);
    expect(quantile(seen!.latency, 0.5)).toBeLessThanOrEqual(100);
    expect(quantile(seen!.latency, 0.99)).toBe(2_750);
    expect(quantile(seen!.latency, 1)).toBe(3_000);
    expect(quantile(anObservation(NOON, { took: [9e6] }).latency, 0.99)).toBe(3_600_000);
    expect(quantile(anObservation(NOON).latency, 0.99)).toBeNull();
  });
});

describe('the consumer lag', () => {
  const rule = 'consumer_lag_growth';
  /** So many more a minute. */
  const growing =
    (aMinute: number) =>
    (second: number): Seen => ({ waiting: Math.round((second / 60) * aMinute) });

  it('is an alert once it has grown by more than 10,000 over 10 minutes, for 5 minutes', () => {
    expect(firesAfter(rule, growing(1_001), 600, 890, 900)).toEqual([false, false, true]);
    expect(firesAfter(rule, growing(1_000), 1_200)).toEqual([false]);
  });

  it('is none where it is high and does not grow', () => {
    expect(firesAfter(rule, () => ({ waiting: 500_000 }), 1_200)).toEqual([false]);
  });

  it('is not known without queues to ask: that neither raises nor resolves', () => {
    const seen = everyTenSeconds(900, growing(2_000)).map((one, n) =>
      n > 85 ? { ...one, waiting: null } : one,
    );
    expect(raised(seen)).toEqual([]);
    expect(resolved(seen, rule)).toEqual([]);
    expect(
      resolved(
        everyTenSeconds(700, () => ({ waiting: 5 })),
        rule,
      ),
    ).toEqual([rule]);
  });
});

describe('the depth of dead letters', () => {
  it('is an alert above 10,000 for 5 minutes', () => {
    const depth = (of: number) => (): Seen => ({ depth: of });
    expect(firesAfter('dead_letter_depth', depth(10_001), 290, 300)).toEqual([false, true]);
    expect(firesAfter('dead_letter_depth', depth(10_000), 600)).toEqual([false]);
  });
});

describe('an active alert', () => {
  const active = [{ alertId: 'a', name: 'dead_letter_depth', scope: '' }];
  const deepUntil =
    (end: number) =>
    (second: number): Seen => ({ depth: second < end ? 20_000 : 10 });

  it('is not raised again', () => {
    expect(raised(everyTenSeconds(900, deepUntil(1_000)), active)).toEqual([]);
  });

  it('is resolved once its rule was not breached for a minute', () => {
    const resolvedAfter = (...seconds: number[]) =>
      seconds.map((length) => resolved(everyTenSeconds(length, deepUntil(600)), 'dead_letter_depth').length);
    expect(resolvedAfter(590, 600, 650, 660)).toEqual([0, 0, 0, 1]);
  });

  it('stays one alert where the rule is breached again within the minute', () => {
    const flickering = (second: number): Seen => ({ depth: second % 40 === 0 ? 20_000 : 10 });
    expect(resolved(everyTenSeconds(900, flickering), 'dead_letter_depth')).toEqual([]);
  });

  it('survives the loss of all observations, until a minute has shown that it is over', () => {
    expect(resolved([anObservation(NOON)], 'dead_letter_depth')).toEqual([]);
    expect(
      resolved(
        everyTenSeconds(60, () => ({})),
        'dead_letter_depth',
      ),
    ).toEqual(['dead_letter_depth']);
  });

  it('of a channel is resolved once the channel has nothing to do', () => {
    const names = ['dead_letter_failure_rate push', 'delivery_success_rate sms', 'high_priority_latency_p99'];
    expect(
      resolved(
        everyTenSeconds(60, () => ({})),
        ...names,
      ),
    ).toEqual(names);
  });

  it('of a rule that is not known here is left alone', () => {
    expect(
      resolved(
        everyTenSeconds(900, () => ({})),
        'of_a_newer_version',
      ),
    ).toEqual([]);
  });
});
