// The reader's service worker: shows pushes, opens what they are about, and keeps the app's frame for when there is no connection.

const SHELL = 'tidings-shell-1';
const SHELL_URL = '/app/';

self.addEventListener('install', (event) => {
  event.waitUntil(self.skipWaiting());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(forgetOthers().then(() => self.clients.claim()));
});

async function forgetOthers() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith('tidings-') && name !== SHELL);
  await Promise.all(old.map((name) => caches.delete(name)));
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate' && /^\/app(\/|$)/.test(url.pathname)) event.respondWith(page(event));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(asset(event));
});

/** From the server; without a connection as it was the last time. */
async function page(event) {
  try {
    const response = await fetch(event.request);
    if (response.ok) event.waitUntil(keep(response.clone()).catch(() => undefined));
    return response;
  } catch (error) {
    const kept = await caches.match(SHELL_URL);
    if (kept) return kept;
    throw error;
  }
}

/** The page of another release names other files: those of the one before are let go. */
async function keep(response) {
  const cache = await caches.open(SHELL);
  const before = await cache.match(SHELL_URL);
  const isOther = before !== undefined && (await before.text()) !== (await response.clone().text());
  if (isOther) await Promise.all((await cache.keys()).map((request) => cache.delete(request)));
  await cache.put(SHELL_URL, response);
}

/** A file with a hash of its content in its name never changes. */
async function asset(event) {
  const { request } = event;
  const cache = await caches.open(SHELL);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  // Where there is no space for it, it is shown all the same.
  if (response.ok) event.waitUntil(cache.put(request, response.clone()).catch(() => undefined));
  return response;
}

self.addEventListener('push', (event) => {
  event.waitUntil(show(read(event.data)));
});

/** In development a page hands over what the sandbox's push service was sent. */
self.addEventListener('message', (event) => {
  if (event.data?.type === 'push') event.waitUntil(show(event.data.payload));
});

function read(data) {
  try {
    return data?.json();
  } catch {
    return undefined;
  }
}

async function show(payload) {
  const { notification = {}, data = {} } = payload ?? {};
  const { title = 'tidings', ...options } = notification;
  await self.registration.showNotification(title, {
    icon: '/app/icons/192.png',
    badge: '/app/icons/192.png',
    ...options,
    data,
  });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data ?? {}));
});

self.addEventListener('notificationclose', (event) => {
  const { deliveryId } = event.notification.data ?? {};
  event.waitUntil(report({ type: 'notification', kind: 'DISMISSED', deliveryId }));
});

/** In a window of the app that is there, else in a new one, which reports the tap itself. */
async function open({ actionUrl, deliveryId }) {
  const path = pathOf(actionUrl);
  const windows = await appWindows();
  if (windows[0]) {
    await windows[0].focus();
    windows[0].postMessage({ type: 'notification', kind: 'CLICKED', deliveryId, path });
    return;
  }
  const url = new URL(`/app${path}`, self.location.origin);
  if (deliveryId) url.searchParams.set('delivery', deliveryId);
  await self.clients.openWindow(url.href);
}

async function report(message) {
  const [window] = await appWindows();
  window?.postMessage(message);
}

async function appWindows() {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return windows.filter(({ url }) => /^\/app(\/|$)/.test(new URL(url).pathname));
}

/** Where in the app the link of a notification leads. */
function pathOf(actionUrl) {
  try {
    const [, kind, id] = /^\/(?:app\/)?(posts|users|people)\/([^/]+)\/?$/.exec(new URL(actionUrl).pathname);
    return kind === 'posts' ? `/posts/${id}` : `/people/${id}`;
  } catch {
    return '/inbox';
  }
}
