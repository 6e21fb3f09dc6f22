import { Counter, type Registry } from 'prom-client';
import type { Logger } from '../logging/logger.js';
import { isUnavailable } from '../unavailable.js';
import { isDraining, outputTaken } from './shutdown.js';

/**
 * What a process does about errors that nobody handled; call it once.
 *
 * - A rejected promise that nobody waits for: logged and counted. The work that it belonged to is over, and nothing else
 *   depends on it, so the process goes on.
 * - An `error` event without a listener, or a throw out of a callback, whose error says that a connection broke or that
 *   something outside is away: logged and counted. Its socket is closed, which fails the calls that use it.
 * - Any other error that nobody caught: what it left half done is unknown. It is logged and counted, and `drain` is
 *   called: what is under way ends, and the process with exit code 1, to be started anew; at once where it is still starting.
 *   Those that come while it drains, for whatever reason, are logged and counted, and let it go on.
 *
 * @param drain begins to end the process, and is called once; by default by SIGTERM, or at once until that is handled
 */
export function surviveFaults(logger: Logger, registry: Registry, drain: () => void = drainOrExit): void {
  const faults = new Counter({
    name: 'process_faults_total',
    help: 'errors that nobody handled, by kind: rejection, connection, exception',
    labelNames: ['kind'],
    registers: [registry],
  });
  let isDrainBegun = false;
  for (const kind of ['rejection', 'connection', 'exception']) faults.inc({ kind }, 0);

  // A write fails where the reader of a pipe is gone. Standard output is the logger's.
  process.stderr.on('error', () => undefined);
  process.on('unhandledRejection', (err) => {
    faults.inc({ kind: 'rejection' });
    logger.error({ err }, 'a rejected promise was not handled');
  });
  process.on('uncaughtException', (err) => {
    if (isUnavailable(err)) {
      faults.inc({ kind: 'connection' });
      logger.error({ err }, 'the error of a connection was not handled');
      return;
    }
    faults.inc({ kind: 'exception' });
    logger.fatal({ err }, 'an exception was not handled: the process drains and ends');
    process.exitCode = 1;
    if (isDrainBegun) return;
    isDrainBegun = true;
    drain();
  });
}

/** Unhandled, the signal would end the process as if somebody had sent it. */
function drainOrExit(): void {
  if (isDraining()) return;
  if (process.listenerCount('SIGTERM') === 0) void outputTaken().then(() => process.exit(1));
  else process.kill(process.pid, 'SIGTERM');
}
