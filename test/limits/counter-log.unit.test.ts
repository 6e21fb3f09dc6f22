import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createCounterLog } from '../../src/domains/limits/counter-log.js';

it('the log says where the counters cannot be reached, what follows, and when they can be again; it has no passwords', () => {
  const lines: string[] = [];
  const logger = pino({ base: null, timestamp: false }, { write: (line) => lines.push(line) });
  const urls = ['redis://user:secret@counters.example:6390/1', 'rediss://other.example'];
  const log = createCounterLog(logger, urls);
  log.onState('open');
  log.onState('closed');
  const hosts = ['counters.example:6390', 'other.example'];
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 40, hosts, msg: 'the rate limit counters cannot be reached: rules decide by their `fail`' },
    { level: 30, hosts, msg: 'the rate limit counters can be reached again' },
  ]);
});
