import { answerParent } from '../../../harness/answer-parent.ts';
import { busySince } from '../../../harness/busy.ts';

/** What every server's process does for the benchmark. */
export interface PageServerMethods {
  [name: string]: (...args: never[]) => unknown;
  /** Listens on a free port of the loopback address and tells it. */
  listen(): Promise<number>;
  /** Starts the watch anew and tells which part of a core was used since the last call. */
  busy(): number;
  /** Seconds of CPU that the process has used so far. */
  cpuSeconds(): number;
}

/** Puts a server at the benchmark's service; `listen` takes a free port of 127.0.0.1 and tells it. */
export function servePage(listen: () => Promise<number>): void {
  let since = busySince();
  const methods: PageServerMethods = {
    listen,
    busy() {
      const busy = since();
      since = busySince();
      return busy;
    },
    cpuSeconds() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  };
  answerParent(methods);
}
