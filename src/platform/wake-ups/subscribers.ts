import { setTimeout as pause } from 'node:timers/promises';
import { isHearing, noteHeard } from './hearing.js';
import type { WakeUp } from './wake-up.js';

/** A subscriber that leaves more than this many wake-ups unread reads its source instead. */
const BUFFER = 256;

/** What a subscriber gets: a wake-up's payload, or that it may have missed some. */
export type Heard =
  | {
      readonly kind: 'woken';
      readonly payload: WakeUp['payload'];
      /** Of what published it; absent where nothing is to be traced. */
      readonly traceparent?: string | undefined;
    }
  | { readonly kind: 'missed' };

/** A subscription to one topic. Its opener must close it. */
export interface Listener {
  /** The next wake-up; `null` once closed. */
  next(): Promise<Heard | null>;
  close(): void;
}

/** A bounded buffer between the hub and one subscriber: when it is full, its content becomes one `missed`. */
class Subscriber implements Listener {
  private heard: Heard[] = [];
  private waiting: ((heard: Heard | null) => void) | undefined;
  private closed = false;
  /** Something before the next wake-up was lost: wake-ups are dropped until the next `missed`, after which the source is read. */
  isDropping = false;

  constructor(
    readonly topic: string,
    private readonly among: Subscribers,
  ) {}

  receive(heard: Heard): void {
    if (heard.kind === 'missed') this.isDropping = false;
    if (this.closed || this.isDropping) return;
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
    return isHearing() ? this.takeAndNote() : this.take();
  }

  private async takeAndNote(): Promise<Heard | null> {
    const heard = await this.take();
    noteHeard(heard?.kind === 'woken' ? heard.traceparent : undefined);
    return heard;
  }

  private take(): Promise<Heard | null> {
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
    this.among.left(this);
    this.waiting?.(null);
    this.waiting = undefined;
  }
}

/** Subscribers that may have missed something all read their sources: they are notified in up to 100 groups. */
const GROUPS = 100;
const SMALLEST_GROUP = 20;
const BETWEEN_GROUPS_MS = 10;

/** All subscribers of a process, by topic. */
export class Subscribers {
  /** Most topics have one: a set of it alone would take more memory than the subscriber. */
  private readonly byTopic = new Map<string, Subscriber | Set<Subscriber>>();
  private isNotifying = false;
  private notifyAgain = false;
  /** How often all were made to drop wake-ups, and of these, up to which all have heard their `missed`. */
  private drops = 0;
  private notifiedOf = 0;

  /** @param onUnused called with a topic whose last subscriber has left */
  constructor(private readonly onUnused: (topic: string) => void) {}

  listen(topic: string): Subscriber {
    const subscriber = new Subscriber(topic, this);
    const ofTopic = this.byTopic.get(topic);
    if (ofTopic instanceof Set) ofTopic.add(subscriber);
    else this.byTopic.set(topic, ofTopic ? new Set([ofTopic, subscriber]) : subscriber);
    return subscriber;
  }

  /** To be called by a subscriber that is closed. */
  left(subscriber: Subscriber): void {
    const { topic } = subscriber;
    const ofTopic = this.byTopic.get(topic);
    if (ofTopic instanceof Set) ofTopic.delete(subscriber);
    if (ofTopic !== subscriber && !(ofTopic instanceof Set && ofTopic.size === 0)) return;
    this.byTopic.delete(topic);
    this.onUnused(topic);
  }

  /** @param next called for each that listens to the topic: what it hears */
  notify(topic: string, next: () => Heard): void {
    const ofTopic = this.byTopic.get(topic);
    if (ofTopic instanceof Set) for (const subscriber of ofTopic) subscriber.receive(next());
    else ofTopic?.receive(next());
  }

  /** From now on each hears no wake-up until its next `missed`: the caller has `notifyAll` called soon. */
  dropUntilMissed(): void {
    this.drops += 1;
    for (const subscriber of this.all()) subscriber.isDropping = true;
  }

  /** Whether some may not have heard the `missed` that they drop wake-ups until. */
  get areDropping(): boolean {
    return this.notifiedOf < this.drops;
  }

  /**
   * Notifies all that they may have missed something, in groups, so that thousands do not ask Postgres in one instant.
   * None hears a later wake-up before that.
   */
  async notifyAll(): Promise<void> {
    this.dropUntilMissed();
    this.notifyAgain = true;
    if (this.isNotifying) return;
    this.isNotifying = true;
    while (this.notifyAgain) {
      this.notifyAgain = false;
      const { drops } = this;
      const all = this.all().filter((subscriber) => subscriber.isDropping);
      const group = Math.max(SMALLEST_GROUP, Math.ceil(all.length / GROUPS));
      for (let done = 0; done < all.length; done += group) {
        if (done > 0) await pause(BETWEEN_GROUPS_MS);
        for (const subscriber of all.slice(done, done + group)) subscriber.receive({ kind: 'missed' });
      }
      this.notifiedOf = drops;
    }
    this.isNotifying = false;
  }

  close(): void {
    for (const subscriber of this.all()) subscriber.close();
  }

  private all(): Subscriber[] {
    return [...this.byTopic.values()].flatMap((ofTopic) => (ofTopic instanceof Set ? [...ofTopic] : ofTopic));
  }
}
