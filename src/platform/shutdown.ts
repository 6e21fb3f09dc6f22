import type { Logger } from './logger.js';

/**
 * Drains the process once: on SIGTERM, SIGINT, or when the parent that holds its IPC channel is gone. A second signal
 * exits at once, and so does a drain that outlasts `graceMs`.
 */
export function drainOnSignal(logger: Logger, graceMs: number, drain: () => Promise<void>): void {
  let draining = false;
  async function shutDown(reason: string): Promise<void> {
    if (draining) process.exit(1);
    draining = true;
    logger.info({ reason }, 'draining');
    setTimeout(() => {
      logger.error({ graceMs }, 'draining took too long');
      process.exit(1);
    }, graceMs).unref();
    try {
      await drain();
      logger.info('drained');
      process.exit(0);
    } catch (error) {
      logger.error({ err: error }, 'draining failed');
      process.exit(1);
    }
  }
  process.on('SIGTERM', () => void shutDown('SIGTERM'));
  process.on('SIGINT', () => void shutDown('SIGINT'));
  if (process.channel) process.on('disconnect', () => void shutDown('parent is gone'));
}
