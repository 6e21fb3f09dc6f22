import type { Redis } from 'ioredis';

/**
 * Sends in one write what is asked for until the promises at hand have run: every write is a call of the system and a
 * packet. A command waits for them as long.
 */
export class GatheredWrites {
  private gathering: Redis['stream'] | undefined;

  /** To be called before a command is written to a connection's stream. */
  begin(stream: Redis['stream'] | undefined): void {
    if (!stream || this.gathering === stream) return;
    this.gathering = stream;
    stream.cork();
    process.nextTick(() => {
      if (this.gathering === stream) this.gathering = undefined;
      stream.uncork();
    });
  }
}
