// Preloaded (`--import`) into a process under test. On SIGUSR2 a logger of the product's writes 12 MB of lines there, three times
// what may wait, and lets the process do other work between them.
import { setImmediate as nextTurn } from 'node:timers/promises';

const LINES = 60_000;
const LINES_A_TURN = 100;
const padding = 'x'.repeat(100);

process.on('SIGUSR2', async () => {
  const { createLogger } = await import('../../dist/platform/logging/logger.js');
  const logger = createLogger('flood', 'info');
  for (let n = 0; n < LINES; n += 1) {
    logger.info({ padding }, 'flood');
    if (n % LINES_A_TURN === 0) await nextTurn();
  }
  logger.info('flooded');
});
