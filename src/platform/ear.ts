import type { WakeUp } from './wake-up.js';

/** A listener that lets more than this many wake-ups lie is told to look at its source instead. */
const BUFFER = 256;

/** What a listener hears: a wake-up's payload, or that it may have missed some. */
export type Heard =
  | { readonly kind: 'woken'; readonly payload: WakeUp['payload'] }
  | { readonly kind: 'missed' };

/** One listener's ears. Whoever makes it must close it. */
export interface Listener {
  /** The next thing heard; `null` once closed. */
  next(): Promise<Heard | null>;
  close(): void;
}

/** A bounded buffer between the hub and one listener: when it is full, the lot becomes one `missed`. */
export class Ear implements Listener {
  private heard: Heard[] = [];
  private waiting: ((heard: Heard | null) => void) | undefined;
  private closed = false;

  constructor(private readonly onClose: () => void) {}

  hear(heard: Heard): void {
    if (this.closed) return;
    if (this.waiting) {
      const waiting = this.waiting;
      this.waiting = undefined;
      waiting(heard);
    } else if (heard.kind === 'missed' || this.heard.length >= BUFFER) {
      this.heard = [{ kind: 'missed' }];
    } else {
      this.heard.push(heard);
    }
  }

  next(): Promise<Heard | null> {
    const first = this.heard.shift();
    if (first) return Promise.resolve(first);
    if (this.closed) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.heard = [];
    this.onClose();
    this.waiting?.(null);
    this.waiting = undefined;
  }
}
