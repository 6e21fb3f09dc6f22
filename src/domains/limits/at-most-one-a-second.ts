/**
 * Hears everything, and tells the first of each second.
 *
 * @param monotonic milliseconds
 */
export function atMostOneASecond<T>(
  listener: (told: T) => void,
  monotonic: () => number = () => performance.now(),
): (told: T) => void {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return (told) => {
    const now = monotonic();
    if (now < quietUntil) return;
    quietUntil = now + 1_000;
    listener(told);
  };
}
