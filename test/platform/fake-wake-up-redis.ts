import type { Redis } from '../../src/platform/redis.js';
import { parsePlace } from '../../src/platform/wake-up-numbers.js';

interface Entry {
  readonly id: number;
  readonly text: string;
  readonly place: string;
}

/**
 * A Redis that holds the wake-up stream and its counter, whose answers the test can hold back. Everything that it does
 * happens at once where it is called, and what a reader hears of it in later turns of the event loop.
 */
export class FakeWakeUpRedis {
  entries: Entry[] = [];
  counter: string | null = null;
  /** Of entries, the newest that the reader was given. */
  newestRead = 0;
  private epochs = 0;
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
    del: async () => {
      this.counter = null;
    },
  } as unknown as Redis;

  /** As the script does. */
  publish(text: string): void {
    const { epoch, number } = parsePlace(this.counter) ?? { epoch: `epoch-${++this.epochs}`, number: 0 };
    this.counter = `${epoch}/${number + 1}`;
    this.entries.push({ id: ++this.lastId, text, place: this.counter });
    this.wake();
  }

  flush(): void {
    this.entries = [];
    this.counter = null;
    this.wake();
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
      get: () => add(() => this.counter),
      xrevrange: () => add(() => this.entries.slice(-1).map(toRaw)),
      xread: (...args: unknown[]) => add(() => this.read(Number(args[1]), String(args.at(-1)))),
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
  private async read(count: number, position: string): Promise<unknown> {
    const find = () => this.entries.filter(({ id }) => id > Number.parseInt(position, 10)).slice(0, count);
    if (find().length === 0) {
      const blocked = new Promise((resolve) => setTimeout(resolve, 1));
      await Promise.race([this.changed.promise, blocked]);
    }
    while (this.isHeld) await this.changed.promise;
    const found = find();
    this.newestRead = found.at(-1)?.id ?? this.newestRead;
    return found.length === 0 ? null : [['stream', found.map(toRaw)]];
  }
}

const toRaw = ({ id, text, place }: Entry) => [`${id}-0`, ['w', text, 'n', place]];
