import type {
  Heard,
  Listener,
  WakeUp,
  WakeUpHub,
  WakeUpPublisher,
} from '../../src/platform/wake-ups/wake-ups.js';

/** Publisher and hub in one, without Redis between them. */
export class LoopbackHub implements WakeUpPublisher, Pick<WakeUpHub, 'listen'> {
  /** Everything that was published. */
  readonly topics: string[] = [];
  private readonly ears = new Map<Listener, { topic: string; hear: (heard: Heard | null) => void }>();

  get listening(): number {
    return this.ears.size;
  }

  async publish(wakeUps: readonly WakeUp[]): Promise<void> {
    for (const { topics, payload } of wakeUps) {
      this.topics.push(...topics);
      for (const { topic, hear } of this.ears.values()) {
        if (topics.includes(topic)) hear({ kind: 'woken', payload });
      }
    }
  }

  async listen(topic: string): Promise<Listener> {
    const heard: (Heard | null)[] = [];
    let wake = (): void => undefined;
    const listener: Listener = {
      async next() {
        while (heard.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        return heard.shift()!;
      },
      close: () => void this.ears.delete(listener),
    };
    this.ears.set(listener, {
      topic,
      hear(one) {
        heard.push(one);
        wake();
      },
    });
    return listener;
  }
}
