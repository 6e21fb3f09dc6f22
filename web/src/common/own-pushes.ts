/** In development: what the sandbox stands in with for the browser's push service. */
export const STAND_IN = 'tidings.push-stand-in';
/** Whose pushes this browser gets. */
export const OWNER = 'tidings.push-owner';

/** This browser gets no more pushes, and those that it shows go: whoever uses it next must not read them. */
export async function endPushes(): Promise<void> {
  if (localStorage.getItem(OWNER) === null) return;
  localStorage.removeItem(STAND_IN);
  localStorage.removeItem(OWNER);
  const registration = await navigator.serviceWorker?.getRegistration('/app/');
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}
