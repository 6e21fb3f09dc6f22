import { AsyncLocalStorage } from 'node:async_hooks';

/** What a subscription heard last, or read instead, while it looked for its next event. */
export interface Hearing {
  /** The W3C trace context of that; undefined where it was not traced. */
  traceparent: string | undefined;
  /** Milliseconds since the epoch. */
  at: number;
}

const hearings = new AsyncLocalStorage<Hearing>();

/** Looks for a subscription's next event: what it hears meanwhile is noted. */
export const whileHearing = <T>(hearing: Hearing, work: () => T): T => hearings.run(hearing, work);

/** Whether anybody wants to know what is heard. */
export const isHearing = (): boolean => hearings.getStore() !== undefined;

/** Notes what is heard, or read instead. */
export function noteHeard(traceparent: string | undefined): void {
  const hearing = hearings.getStore();
  if (hearing) Object.assign(hearing, { traceparent, at: Date.now() } satisfies Hearing);
}
