/** Whether pages of an origin may call the API and open sockets. The server's own origin needs no permission. */
export type MayCall = (origin: string) => boolean;

/** This machine, whatever the port: where front ends are developed. */
const LOCAL = /^https?:\/\/(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

/** @param development whether pages served by the caller's own machine may call besides */
export function createMayCall(allowedOrigins: readonly string[], development: boolean): MayCall {
  const allowed = new Set(allowedOrigins);
  return (origin) => allowed.has(origin) || (development && LOCAL.test(origin));
}
