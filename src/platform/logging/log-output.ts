import type { DestinationStream } from 'pino';
import { Counter, type Registry } from 'prom-client';

/** So many bytes may wait for their reader: some thousand lines, which take about twice as much memory. */
const MOST_WAITING = 4 * 1024 * 1024;

const dropped = new Counter({
  name: 'log_lines_dropped_total',
  help: 'Log lines that were dropped since nobody read them, or that could not be written',
  registers: [],
});

/** Shows in a process's metrics how many lines of its log were dropped. */
export const observeDroppedLines = (metrics: Registry): void => metrics.registerMetric(dropped);

/**
 * Standard output as a destination of log lines, which never waits for its reader.
 *
 * Node's own stream writes a line at once where a pipe has space, so that it is out whatever becomes of the process, and
 * keeps what the pipe does not take. Once too much waits, lines are dropped and counted until all of that was read. Files
 * and terminals take each line at once. Where the reader is gone, or a disk is full, lines are counted and the process goes on.
 *
 * @param flowsAgain called with how many lines were dropped, before the next one is written
 */
export function logOutput(flowsAgain: (lines: number) => void): DestinationStream {
  const { stdout } = process;
  listenForErrors();
  let missing = 0;
  function sayWhatIsMissing(): void {
    const lines = missing;
    missing = 0;
    if (lines > 0) flowsAgain(lines);
  }
  return {
    write(line) {
      if (stdout.writableLength > (missing > 0 ? 0 : MOST_WAITING)) {
        dropped.inc();
        missing += 1;
        // No further line may come that could say it.
        if (missing === 1) stdout.once('drain', sayWhatIsMissing);
        return;
      }
      if (missing > 0) sayWhatIsMissing();
      // A line that waits would keep all the pieces it was put together from.
      stdout.write(stdout.writableLength > 0 ? Buffer.from(line) : line);
    },
  };
}

let isListening = false;

/** Once for a process, which may have several loggers. */
function listenForErrors(): void {
  if (isListening) return;
  isListening = true;
  process.stdout.on('error', () => dropped.inc());
}
