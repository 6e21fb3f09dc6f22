import { useSyncExternalStore } from 'react';

/** Of the socket that live updates come over; `idle` while nothing is subscribed to. */
export type ConnectionStatus = 'idle' | 'connected' | 'lost';

let status: ConnectionStatus = 'idle';
const listeners = new Set<() => void>();

export const connectionStatus = {
  get: (): ConnectionStatus => status,
  set(next: ConnectionStatus): void {
    if (next === status) return;
    status = next;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export const useConnectionStatus = (): ConnectionStatus =>
  useSyncExternalStore(connectionStatus.subscribe, connectionStatus.get);
