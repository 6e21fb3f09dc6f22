import { AsyncLocalStorage } from 'node:async_hooks';
import { withinMs } from '../deadline.js';
import type { Logger } from '../logging/logger.js';

/** What waits to be sent is about so many events at most. */
const MAX_WAITING_EVENTS = 10_000;
const PARTING_MS = 1_000;
const MAKE_UP_AGAIN_MS = 1_000;

interface Waiting {
  readonly hint: () => Promise<void>;
  readonly events: number;
}

/**
 * What a projector does after its commits: hints; a reader who missed one makes up for it by looking. They are
 * given one at a time and in order, beside the projector, which never waits for them. Where they cannot keep up the
 * oldest are dropped; one that fails is a warning. Whenever one was not given, `onLost` is called in its place, each
 * second until it succeeds.
 */
export class AfterCommit {
  private readonly waiting: Waiting[] = [];
  private waitingEvents = 0;
  private draining: Promise<void> | undefined;
  private dropping = false;
  private isLost = false;
  private makingUpAgain: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly projector: string,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly onLost: () => Promise<void>,
  ) {}

  /** @param events how many were committed: what `hint` keeps in memory is about as much */
  add(hint: () => Promise<void>, events: number): void {
    this.waiting.push({ hint: AsyncLocalStorage.bind(hint), events });
    this.waitingEvents += events;
    while (this.waitingEvents > MAX_WAITING_EVENTS && this.waiting.length > 1) this.dropOldest();
    this.draining ??= this.drain();
  }

  /** Waits for what was added, 1 s at most; what has not begun by then is dropped. */
  async close(): Promise<void> {
    await withinMs(PARTING_MS, this.draining ?? Promise.resolve()).catch(() => {
      this.isLost = true;
    });
    this.waiting.length = 0;
    this.closed = true;
    clearTimeout(this.makingUpAgain);
    await withinMs(PARTING_MS, this.makeUp()).catch(() => undefined);
  }

  private async drain(): Promise<void> {
    for (let next = this.take(); next; next = this.take()) {
      try {
        await Promise.resolve().then(next.hint);
      } catch (error) {
        this.isLost = true;
        this.logger.warn({ err: error, projector: this.projector }, 'wake-ups after a commit failed');
      }
    }
    this.dropping = false;
    await this.makeUp();
    this.draining = undefined;
    if (this.waiting.length > 0) this.draining = this.drain();
  }

  private async makeUp(): Promise<void> {
    if (!this.isLost) return;
    this.isLost = false;
    await this.onLost().catch((error: unknown) => {
      this.isLost = true;
      this.logger.warn({ err: error, projector: this.projector }, 'lost wake-ups cannot be made up for yet');
      this.makeUpLater();
    });
  }

  /** There may be no further event for hours. */
  private makeUpLater(): void {
    if (this.closed) return;
    clearTimeout(this.makingUpAgain);
    this.makingUpAgain = setTimeout(() => {
      this.draining ??= this.drain();
    }, MAKE_UP_AGAIN_MS).unref();
  }

  private take(): Waiting | undefined {
    const next = this.waiting.shift();
    this.waitingEvents -= next?.events ?? 0;
    return next;
  }

  private dropOldest(): void {
    this.take();
    this.isLost = true;
    if (this.dropping) return;
    this.dropping = true;
    this.logger.warn(
      { projector: this.projector },
      'wake-ups after commits cannot keep up: the oldest are dropped',
    );
  }
}
