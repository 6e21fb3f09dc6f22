/** Seconds that an offline device is waited for where the message has no expiry: the deduplication window. */
const DEFAULT_TTL_SECONDS = 86_400;
/** Google, and other push services, refuse more than four weeks. */
const MAX_TTL_SECONDS = 28 * 86_400;

/** Whole seconds that a provider may keep a push for a device that is away. */
export function ttlSeconds(expiresAt: Date | undefined, now: number): number {
  if (!expiresAt) return DEFAULT_TTL_SECONDS;
  return Math.min(MAX_TTL_SECONDS, Math.max(0, Math.floor((expiresAt.getTime() - now) / 1000)));
}
