import { setTimeout as pause } from 'node:timers/promises';

/**
 * Tries every `interval` ms until it does not throw, and answers what it answered: `vi.waitFor`, which only test files have, for
 * what set-ups of a whole run start as well.
 *
 * @throws what it threw last, after `timeout` ms
 */
export async function waitFor<T>(
  holds: () => Promise<T>,
  { timeout, interval }: { timeout: number; interval: number },
): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    try {
      return await holds();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await pause(interval);
  }
}
