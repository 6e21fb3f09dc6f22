const ANEW_AFTER_MS = 5_000;
/** The same subscription would end in the same way. */
const FINAL: ReadonlySet<unknown> = new Set([
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'BAD_USER_INPUT',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_CURSOR',
]);

/**
 * When a subscription that the server ended is begun anew, from now: milliseconds; null where it is not. At once where too much had
 * come since its last update to be sent one by one.
 *
 * @param codes of its errors; none where there was no answer
 */
export function pauseAfterEnd(codes: readonly unknown[]): number | null {
  if (codes.some((code) => FINAL.has(code))) return null;
  return codes.includes('CURSOR_EXPIRED') ? 0 : ANEW_AFTER_MS;
}
