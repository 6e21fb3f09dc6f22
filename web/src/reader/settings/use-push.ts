import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { client } from '../../common/client.js';
import { useSession } from '../../common/session.js';
import { loadWebConfig } from '../../common/web-config.js';
import { Engaged } from '../inbox/queries.js';
import { isPushPossible, ownDeviceId, ownSubscription, registerWorker, standInEndpoint } from './push.js';
import { RegisterDevice } from './queries.js';

const POLL_MS = 2_000;

interface Sent {
  /** ISO 8601. */
  readonly at: string;
  readonly body: unknown;
}

/** What the worker says when a notification was tapped or swiped away. */
interface FromWorker {
  readonly type: 'notification';
  readonly kind: 'CLICKED' | 'DISMISSED';
  readonly deliveryId?: string;
  readonly path?: string;
}

/** Keeps the worker registered, and does what is asked for by tapping its notifications. */
export function usePush(): void {
  const navigate = useNavigate();
  const userId = useSession()?.userId;
  // Again where another person signs in over the page of the one before.
  useEffect(() => {
    if (!isPushPossible() || userId === undefined) return;
    void registerWorker()
      .then(registerAgain)
      .catch(() => undefined);
  }, [userId]);
  useEffect(() => {
    if (!isPushPossible()) return;
    const onMessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data?.type !== 'notification') return;
      if (data.deliveryId) engaged(data.deliveryId, data.kind);
      if (data.path) void navigate(data.path);
    };
    navigator.serviceWorker.addEventListener('message', onMessage);
    return () => navigator.serviceWorker.removeEventListener('message', onMessage);
  }, [navigate]);
  useEffect(() => {
    // A window that a notification has opened names it once.
    const url = new URL(location.href);
    const deliveryId = url.searchParams.get('delivery');
    if (!deliveryId) return;
    engaged(deliveryId, 'CLICKED');
    url.searchParams.delete('delivery');
    history.replaceState(history.state, '', url);
  }, []);
  useStandIn();
}

async function registerAgain(): Promise<void> {
  const deviceToken = await ownSubscription();
  if (!deviceToken) return;
  await client.mutate({ mutation: RegisterDevice, variables: { deviceId: ownDeviceId(), deviceToken } });
}

function engaged(deliveryId: string, kind: FromWorker['kind']): void {
  client.mutate({ mutation: Engaged, variables: { deliveryId, kind } }).catch(() => undefined);
}

/** In development: hands what the sandbox's push service was sent to the worker, as a push service would. */
function useStandIn(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    async function poll(sandboxUrl: string): Promise<void> {
      const endpoint = standInEndpoint();
      if (endpoint) await handOver(sandboxUrl, endpoint).catch(() => undefined);
      if (!isOver) timer = setTimeout(() => void poll(sandboxUrl), POLL_MS);
    }
    void loadWebConfig().then(({ sandboxUrl }) => {
      if (sandboxUrl && isPushPossible() && !isOver) void poll(sandboxUrl);
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
}

const SHOWN = 'tidings.push-shown';

async function handOver(sandboxUrl: string, endpoint: string): Promise<void> {
  const url = new URL('/messages', sandboxUrl);
  url.searchParams.set('channel', 'push');
  url.searchParams.set('to', endpoint);
  const response = await fetch(url);
  const messages: Sent[] = response.ok ? await response.json() : [];
  const before = localStorage.getItem(SHOWN) ?? '';
  const registration = await navigator.serviceWorker.getRegistration('/app/');
  for (const { at, body } of messages) {
    if (at <= before) continue;
    registration?.active?.postMessage({ type: 'push', payload: body });
    localStorage.setItem(SHOWN, at);
  }
}
