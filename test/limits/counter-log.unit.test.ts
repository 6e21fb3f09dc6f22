import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createCounterLog } from '../../src/domains/limits/counter-log.js';

it('the log says that counters are away, where, and what that means, and when they are back; it has no passwords', () => {
  const lines: string[] = [];
  const logger = pino({ base: null, timestamp: false }, { write: (line) => lines.push(line) });
  const urls = ['redis://user:secret@counters.example:6390/1', 'rediss://other.example'];
  const log = createCounterLog(logger, urls);
  log.onState('open');
  log.onState('closed');
  const hosts = ['counters.example:6390', 'other.example'];
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 40, hosts, msg: 'counters cannot be reached: rules decide by their `fail`' },
    { level: 30, hosts, msg: 'counters are back' },
  ]);
});
