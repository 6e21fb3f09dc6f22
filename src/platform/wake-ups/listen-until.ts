import type { Listener, WakeUpHub } from './wake-ups.js';

/** As `hub.listen`; closed when `signal` aborts, too. */
export async function listenUntil(
  hub: Pick<WakeUpHub, 'listen'>,
  topic: string,
  signal: AbortSignal | undefined,
): Promise<Listener> {
  const listener = await hub.listen(topic);
  const close = (): void => {
    signal?.removeEventListener('abort', close);
    listener.close();
  };
  signal?.addEventListener('abort', close, { once: true });
  if (signal?.aborted) close();
  return { next: () => listener.next(), close };
}
