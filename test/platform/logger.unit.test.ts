import { expect, it } from 'vitest';
import { createLogger } from '../../src/platform/logging/logger.js';
import { thinOut } from '../../src/platform/logging/repeated-lines.js';

function open() {
  const lines: { level: number; msg: string; suppressed?: number }[] = [];
  const logger = createLogger('test', 'debug', {
    write: (line: string) => void lines.push(JSON.parse(line)),
  });
  return { logger, lines };
}

it('of a warning that repeats a few lines pass, from whichever part they come', () => {
  const { logger, lines } = open();
  const child = logger.child({ correlationId: 'story' });
  for (let n = 0; n < 500; n += 1) (n % 2 ? logger : child).warn({ err: new Error('away') }, 'Redis is away');
  expect(lines.length).toBeLessThan(10);
  expect(lines.every(({ msg }) => msg === 'Redis is away')).toBe(true);
});

it('levels and messages are counted apart, and what is no warning passes', () => {
  const { logger, lines } = open();
  for (let n = 0; n < 100; n += 1) {
    logger.warn('one');
    logger.warn({ n }, 'another');
    logger.error('one');
    logger.info('request');
    logger.debug({ n }, 'request');
  }
  const counts: Record<string, object[] | undefined> = Object.groupBy(
    lines,
    ({ level, msg }) => `${level} ${msg}`,
  );
  expect([counts['30 request']?.length, counts['20 request']?.length]).toEqual([100, 100]);
  for (const kind of ['40 one', '40 another', '50 one']) expect(counts[kind]!.length).toBeLessThan(10);
  for (const kind of ['40 one', '40 another', '50 one']) expect(counts[kind]!.length).toBeGreaterThan(0);
});

it('a rare line passes among many of another task, queue, projector or cause', () => {
  const { logger, lines } = open();
  const failed = (fields: object, code?: string) =>
    logger.child(fields).error({ err: Object.assign(new Error('no'), { code }) }, 'a task failed');
  for (let n = 0; n < 200; n += 1) failed({ task: 'a' }, 'ECONNRESET');
  const before = lines.length;
  failed({ task: 'b' }, 'ECONNRESET');
  failed({ task: 'a', queue: 'q' }, 'ECONNRESET');
  failed({ task: 'a', projector: 'p' }, 'ECONNRESET');
  failed({ task: 'a' }, '23505');
  logger.child({ task: 'a' }).error({ err: new TypeError('no') }, 'a task failed');
  logger.error({ task: 'c' }, 'a task failed');
  logger.error(new RangeError('a task failed'));
  expect([before < 10, lines.length - before]).toEqual([true, 7]);
});

it('a line that a client was given an id of always passes', () => {
  const { logger, lines } = open();
  for (let n = 0; n < 100; n += 1) logger.error({ errorId: `id-${n}` }, 'unexpected error');
  expect(lines).toHaveLength(100);
});

it('the next line that passes says how many were dropped before it', () => {
  const pass = thinOut();
  const passed = Array.from({ length: 1_000 }, (_, n) => pass('away', n * 10)).filter((one) => one !== null);
  // 10 s of 100 lines a second: 5 at once, then one after 2 s and one 4 s later.
  expect(passed.map(({ suppressed }) => suppressed)).toEqual([0, 0, 0, 0, 0, 195, 400]);
  expect(pass('another', 10_000)).toEqual({ suppressed: 0 });
  expect(pass('away', 100_000)).toEqual({ suppressed: expect.any(Number) });
  expect(pass('away', 100_000)).toEqual({ suppressed: 0 });
});
