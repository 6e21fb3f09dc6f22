import { withinMs } from '../deadline.js';
import type { Logger } from '../logging/logger.js';

type Step = () => Promise<unknown> | unknown;

/** How much of the time that is left a step may take: those behind it need some, too. */
const SHARE_OF_A_STEP = 0.8;

/** Announcing that the process ends is a matter of a moment: what hangs there is left behind. */
const ANNOUNCING_MS = 1_000;

/** What comes before the steps. */
export interface Announcement {
  /** Announces that the process ends; given up after a second. */
  readonly announce: Step;
  /** The steps, and the grace, begin so long after the signal, or once the end is announced where that takes longer. */
  readonly delayMs: number;
}

let hasBegun = false;
/** Whether the process drains already: another signal would end it at once. */
export const isDraining = (): boolean => hasBegun;

/**
 * Drains the process once: on SIGTERM, SIGINT, or when the parent that holds its IPC channel is gone. A second signal
 * exits at once; a drain that outlasts `graceMs` is killed.
 *
 * Exits with 1 where a step failed, else with what `process.exitCode` says. Where a step was given up, it is killed when
 * all others were taken.
 *
 * @param steps taken one after the other; one that fails, or takes four fifths of the time that is left, is logged and
 * keeps none of the others from being taken
 * @param before what comes before them; `graceMs` begin after it
 */
export function drainOnSignal(
  logger: Logger,
  graceMs: number,
  steps: readonly Step[],
  before?: Announcement,
): void {
  let draining = false;
  async function shutDown(reason: string): Promise<void> {
    if (draining) process.exit(1);
    draining = hasBegun = true;
    logger.info({ reason }, 'draining');
    let failed = false;
    const take = async (step: Step): Promise<void> => {
      try {
        await step();
      } catch (error) {
        failed = true;
        logger.error({ err: error }, 'a step of draining failed');
      }
    };
    let gaveUp = false;
    const takeWithin = (ms: number, step: Step): Promise<void> =>
      withinMs(ms, take(step)).catch(() => {
        gaveUp = true;
        logger.error({ ms }, 'a step of draining took too long: it is left behind');
      });
    if (before) {
      const delay = new Promise((resolve) => setTimeout(resolve, before.delayMs));
      await takeWithin(ANNOUNCING_MS, before.announce);
      await delay;
    }
    const killedAt = performance.now() + graceMs;
    setTimeout(() => {
      logger.error({ graceMs }, 'draining took too long');
      void outputTaken().then(kill);
    }, graceMs).unref();
    for (const step of steps) await takeWithin((killedAt - performance.now()) * SHARE_OF_A_STEP, step);
    if (!gaveUp) logger.info('drained');
    await outputTaken();
    if (gaveUp) return kill();
    process.exit(failed ? 1 : (process.exitCode ?? 0));
  }
  process.on('SIGTERM', () => void shutDown('SIGTERM'));
  process.on('SIGINT', () => void shutDown('SIGINT'));
  if (process.channel) process.on('disconnect', () => void shutDown('parent is gone'));
}

/** An exit would wait for what the thread pool is at: decoding an image may take minutes. */
function kill(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** A reader that has not taken the rest by then is stalled. */
const TAKEN_MS = 1_000;

/**
 * Resolves once what was written to standard output and standard error was taken, or after a second: `process.exit`
 * drops what a full pipe has not taken yet.
 */
export async function outputTaken(): Promise<void> {
  await Promise.all([process.stdout, process.stderr].map(taken));
}

async function taken(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0) return;
  const written = new Promise<void>((resolve) => stream.write('', () => resolve()));
  await withinMs(TAKEN_MS, written).catch(() => undefined);
}
