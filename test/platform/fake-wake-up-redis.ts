import type { Redis } from '../../src/platform/redis/redis.js';
import { parsePlace } from '../../src/platform/wake-ups/wake-up-numbers.js';
import { FORMER_STREAM } from '../../src/platform/wake-ups/wake-up-stream.js';
import type { OpenSubscriptions } from '../../src/platform/wake-ups/wake-up-subscriptions.js';

interface Entry {
  readonly id: number;
  readonly text: string;
  readonly place: string;
}

/**
 * A Redis that holds a reader's stream, its counter and what it subscribes to, whose answers the test can hold back. Everything that it does
 * happens at once where it is called, and what a reader hears of it in later turns of the event loop.
 */
export class FakeWakeUpRedis {
  entries: Entry[] = [];
  counter: string | null = null;
  /** Of entries, the newest that the reader was given. */
  newestRead = 0;
  private epochs = 0;
  private readers = 0;
  /** Publishers know of the reader. */
  private isKnown = false;
  private onLost = (): void => undefined;
  private lastId = 0;
  private isHeld = false;
  private changed = Promise.withResolvers<void>();
  private readonly onClose: (() => void)[] = [];

  /** The reader's connection. */
  readonly connection: Redis = {
    status: 'ready',
    on: (event: string, listener: () => void) => {
      if (event === 'close') this.onClose.push(listener);
      return this.connection;
    },
    off: () => this.connection,
    info: async () => 'run_id:run\r\n',
    disconnect: () => undefined,
    pipeline: () => this.pipeline(),
    set: async (_key: string, value: string) => {
      this.counter ??= value;
    },
    get: async () => this.counter,
    // Of streams that were left alone.
    del: async () => undefined,
  } as unknown as Redis;

  /** Publishers know of topics some turns of the event loop later. */
  readonly openSubscriptions: OpenSubscriptions = (onLost) => {
    this.onLost = onLost;
    const answer = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      while (this.isHeld) await this.changed.promise;
    };
    return {
      begin: () => {
        this.isKnown = false;
        this.entries = [];
        this.counter = null;
        this.readers += 1;
        return `reader-${this.readers}`;
      },
      register: async () => {
        const { readers } = this;
        await answer();
        if (readers === this.readers) this.isKnown = true;
      },
      add: answer,
      remove: () => undefined,
      isCurrent: () => this.isKnown,
      close: () => undefined,
    };
  };

  /** As the script does, where the registry leads to this reader. */
  publish(text: string): void {
    if (!this.isKnown || this.counter === null) return;
    const { epoch, number } = parsePlace(this.counter) ?? { epoch: `epoch-${++this.epochs}`, number: 0 };
    this.counter = `${epoch}/${number + 1}`;
    this.entries.push({ id: ++this.lastId, text, place: this.counter });
    this.wake();
  }

  flush(): void {
    this.entries = [];
    this.counter = null;
    this.loseRegistry();
    this.wake();
  }

  loseRegistry(): void {
    this.isKnown = false;
    setImmediate(() => this.onLost());
  }

  breakConnection(): void {
    for (const listener of this.onClose) listener();
  }

  hold(): void {
    this.isHeld = true;
  }

  resume(): void {
    this.isHeld = false;
    this.wake();
  }

  private wake(): void {
    this.changed.resolve();
    this.changed = Promise.withResolvers();
  }

  private pipeline() {
    const commands: (() => unknown | Promise<unknown>)[] = [];
    const add = (command: () => unknown) => {
      commands.push(command);
      return pipeline;
    };
    const pipeline = {
      set: (_key: string, value: string) =>
        add(() => {
          this.counter ??= value;
          return 'OK';
        }),
      get: (key: string) => add(() => (key === FORMER_STREAM.counter ? null : this.counter)),
      pexpire: () => add(() => 1),
      // Of the former stream.
      xrevrange: () => add(() => []),
      xread: (...args: unknown[]) =>
        add(() => this.read(String(args[5]), Number(args[1]), String(args.at(-2)))),
      exec: async () => {
        const answers: [null, unknown][] = [];
        while (this.isHeld) await this.changed.promise;
        for (const command of commands) answers.push([null, await command()]);
        await new Promise((resolve) => setImmediate(resolve));
        return answers;
      },
    };
    return pipeline;
  }

  /** Waits for entries, for a turn or two of the event loop. */
  private async read(stream: string, count: number, position: string): Promise<unknown> {
    const find = () => this.entries.filter(({ id }) => id > Number.parseInt(position, 10)).slice(0, count);
    if (find().length === 0) {
      const blocked = new Promise((resolve) => setTimeout(resolve, 1));
      await Promise.race([this.changed.promise, blocked]);
    }
    while (this.isHeld) await this.changed.promise;
    const found = find();
    this.newestRead = found.at(-1)?.id ?? this.newestRead;
    return found.length === 0 ? null : [[stream, found.map(toRaw)]];
  }
}

const toRaw = ({ id, text, place }: Entry) => [`${id}-0`, ['w', text, 'n', place]];
