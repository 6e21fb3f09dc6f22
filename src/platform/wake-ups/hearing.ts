import { AsyncLocalStorage } from 'node:async_hooks';

/** What a subscription heard last while it looked for its next event. */
export interface Hearing {
  /** The W3C trace context of the wake-up; undefined where it was not traced. */
  traceparent: string | undefined;
  /** Milliseconds since the epoch. */
  at: number;
}

const hearings = new AsyncLocalStorage<Hearing>();

/** Looks for a subscription's next event: what it hears meanwhile is noted. */
export const whileHearing = <T>(hearing: Hearing, work: () => T): T => hearings.run(hearing, work);

/** Where what is heard is noted; undefined where nobody asks. */
export const hearing = (): Hearing | undefined => hearings.getStore();
