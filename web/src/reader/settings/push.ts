import { newKey } from '../../common/idempotency-key.js';
import { endPushes, OWNER, STAND_IN } from '../../common/own-pushes.js';
import { session } from '../../common/session.js';
import { loadWebConfig } from '../../common/web-config.js';

const DEVICE = 'tidings.device';

/** Why this browser gets no pushes; the texts of `settings.push.fault` say what to do. */
export class PushFault extends Error {
  constructor(readonly reason: 'denied' | 'noService' | 'failed') {
    super(reason);
  }
}

export const isPushPossible = (): boolean => 'serviceWorker' in navigator && 'Notification' in window;

/** This browser's id as a device: made up once and kept. */
export function ownDeviceId(): string {
  const kept = localStorage.getItem(DEVICE);
  if (kept) return kept;
  const made = `web-${newKey()}`;
  localStorage.setItem(DEVICE, made);
  return made;
}

/** The worker that shows pushes and keeps the app's frame for when there is no connection. */
export async function registerWorker(): Promise<ServiceWorkerRegistration> {
  // Without the slash: the start of the app is `/app`.
  const registered = await navigator.serviceWorker.register('/app/sw.js', { scope: '/app' });
  // A browser that has registered it below `/app/` before keeps that one, with its subscription.
  return (await navigator.serviceWorker.getRegistration('/app/')) ?? registered;
}

/**
 * Asks for permission and subscribes.
 *
 * @returns the `PushSubscription` as JSON, which `registerDevice` takes. In development the sandbox stands in for the
 * browser's push service, which needs the Internet.
 */
export async function subscribeToPush(): Promise<string> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushFault('denied');
  const registration = await registerWorker();
  const { sandboxUrl, pushKey } = await loadWebConfig();
  const subscription = sandboxUrl
    ? await subscribeToStandIn(sandboxUrl)
    : await subscribeToService(registration, pushKey);
  localStorage.setItem(OWNER, session()?.userId ?? '');
  return JSON.stringify(subscription);
}

/**
 * What this browser is subscribed by: it is registered again at each start, since pushes to a device that is not seen for long end.
 * Where another person has signed in, the subscription ends: they must not see what the one before is sent.
 */
export async function ownSubscription(): Promise<string | undefined> {
  const owner = localStorage.getItem(OWNER);
  if (owner === null) return undefined;
  if (owner !== session()?.userId) {
    await endPushes();
    return undefined;
  }
  const registration = await registerWorker();
  const subscription = await registration.pushManager?.getSubscription();
  return localStorage.getItem(STAND_IN) ?? (subscription ? JSON.stringify(subscription) : undefined);
}

/** The endpoint of the sandbox's browser that this one listens for. */
export function standInEndpoint(): string | undefined {
  const kept = localStorage.getItem(STAND_IN);
  return kept ? JSON.parse(kept).endpoint : undefined;
}

async function subscribeToStandIn(sandboxUrl: string): Promise<{ readonly endpoint: string }> {
  const response = await fetch(new URL('/subscriptions', sandboxUrl), { method: 'POST' });
  if (!response.ok) throw new PushFault('failed');
  const subscription = await response.json();
  localStorage.setItem(STAND_IN, JSON.stringify(subscription));
  return subscription;
}

async function subscribeToService(
  registration: ServiceWorkerRegistration,
  key: string | null,
): Promise<PushSubscription> {
  if (!key || !registration.pushManager) throw new PushFault('noService');
  try {
    return await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch {
    throw new PushFault('noService');
  }
}
