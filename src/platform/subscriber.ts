import type { WakeUp } from './wake-up.js';

/** A subscriber that leaves more than this many wake-ups unread reads its source instead. */
const BUFFER = 256;

/** What a subscriber gets: a wake-up's payload, or that it may have missed some. */
export type Heard =
  | { readonly kind: 'woken'; readonly payload: WakeUp['payload'] }
  | { readonly kind: 'missed' };

/** A subscription to one topic. Its opener must close it. */
export interface Listener {
  /** The next wake-up; `null` once closed. */
  next(): Promise<Heard | null>;
  close(): void;
}

/** A bounded buffer between the hub and one subscriber: when it is full, its content becomes one `missed`. */
export class Subscriber implements Listener {
  private heard: Heard[] = [];
  private waiting: ((heard: Heard | null) => void) | undefined;
  private closed = false;
  private dropping = false;

  constructor(private readonly onClose: () => void) {}

  /**
   * Something before the next wake-up was lost: wake-ups are dropped until the next `missed`. The source, which is read then,
   * has all of them in order.
   */
  dropUntilMissed(): void {
    this.dropping = true;
  }

  get isDropping(): boolean {
    return this.dropping;
  }

  receive(heard: Heard): void {
    if (heard.kind === 'missed') this.dropping = false;
    if (this.closed || this.dropping) return;
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
