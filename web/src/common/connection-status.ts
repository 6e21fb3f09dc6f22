import { useEffect, useRef, useSyncExternalStore } from 'react';

/** Of the socket that live updates come over; `idle` while nothing is subscribed to. */
type SocketStatus = 'idle' | 'connected' | 'lost';

/** `lost`: live updates do not come. `unreachable`: requests are not answered either. */
export type ConnectionStatus = SocketStatus | 'unreachable';

let socket: SocketStatus = 'idle';
let isReachable = navigator.onLine;
let status: ConnectionStatus = isReachable ? socket : 'unreachable';
const listeners = new Set<() => void>();
const foundListeners = new Set<() => void>();

export const connectionStatus = {
  get: (): ConnectionStatus => status,
  setSocket(next: SocketStatus): void {
    socket = next;
    if (next === 'connected') isReachable = true;
    changed();
  },
  setReachable(next: boolean): void {
    isReachable = next;
    changed();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Called whenever a connection that was lost is there again. */
export function onFound(listener: () => void): () => void {
  foundListeners.add(listener);
  return () => foundListeners.delete(listener);
}

export function useOnFound(listener: () => void): void {
  const newest = useRef(listener);
  useEffect(() => {
    newest.current = listener;
  });
  useEffect(() => onFound(() => newest.current()), []);
}

export const useConnectionStatus = (): ConnectionStatus =>
  useSyncExternalStore(connectionStatus.subscribe, connectionStatus.get);

function changed(): void {
  const before = status;
  status = isReachable ? socket : 'unreachable';
  if (status === before) return;
  // What nobody subscribes to any more is given up, not found.
  const isFound = status === 'connected' ? before !== 'idle' : status === 'idle' && before === 'unreachable';
  for (const listener of listeners) listener();
  if (isFound) for (const listener of foundListeners) listener();
}
