import type { Logger } from './logger.js';

/**
 * Drains the process once: on SIGTERM, SIGINT, or when the parent that holds its IPC channel is gone. A second signal
 * exits at once; a drain that outlasts `graceMs` is killed.
 *
 * @param steps taken one after the other; one that fails is logged and keeps none of the others from being taken
 */
export function drainOnSignal(
  logger: Logger,
  graceMs: number,
  steps: readonly (() => Promise<unknown> | unknown)[],
): void {
  let draining = false;
  async function shutDown(reason: string): Promise<void> {
    if (draining) process.exit(1);
    draining = true;
    logger.info({ reason }, 'draining');
    setTimeout(() => {
      logger.error({ graceMs }, 'draining took too long');
      // An exit would wait for what the thread pool is at: decoding an image may take minutes.
      process.kill(process.pid, 'SIGKILL');
    }, graceMs).unref();
    let failed = false;
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        failed = true;
        logger.error({ err: error }, 'a step of draining failed');
      }
    }
    logger.info('drained');
    process.exit(failed ? 1 : 0);
  }
  process.on('SIGTERM', () => void shutDown('SIGTERM'));
  process.on('SIGINT', () => void shutDown('SIGINT'));
  if (process.channel) process.on('disconnect', () => void shutDown('parent is gone'));
}
