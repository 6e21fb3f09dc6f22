import { useEffect, useRef, useSyncExternalStore } from 'react';

/** Of the socket that live updates come over; `idle` while nothing is subscribed to. */
export type ConnectionStatus = 'idle' | 'connected' | 'lost';

let socket: ConnectionStatus = 'idle';
let subscriptions = 0;
let status: ConnectionStatus = 'idle';
const listeners = new Set<() => void>();

export const connectionStatus = {
  get: (): ConnectionStatus => status,
  set(next: ConnectionStatus): void {
    socket = next;
    changed();
  },
  /** Counts what is subscribed to: a connection that nobody waits for is not lost. */
  subscribed(by: 1 | -1): void {
    subscriptions += by;
    changed();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function changed(): void {
  const next = subscriptions === 0 && socket === 'lost' ? 'idle' : socket;
  if (next === status) return;
  status = next;
  for (const listener of listeners) listener();
}

export const useConnectionStatus = (): ConnectionStatus =>
  useSyncExternalStore(connectionStatus.subscribe, connectionStatus.get);

/** Called each time the connection is there again after it was lost: what happened meanwhile has to be read. */
export function useReconnected(onReconnected: () => void): void {
  const status = useConnectionStatus();
  const wasLost = useRef(false);
  const latest = useRef(onReconnected);
  useEffect(() => {
    latest.current = onReconnected;
  });
  useEffect(() => {
    if (status === 'lost') wasLost.current = true;
    if (status !== 'connected' || !wasLost.current) return;
    wasLost.current = false;
    latest.current();
  }, [status]);
}
