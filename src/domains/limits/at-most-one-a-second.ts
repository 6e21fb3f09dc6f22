/**
 * Calls the listener with the first value of each second, and drops the others.
 *
 * @param monotonic milliseconds
 */
export function atMostOneASecond<T>(
  listener: (value: T) => void,
  monotonic: () => number = () => performance.now(),
): (value: T) => void {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return (value) => {
    const now = monotonic();
    if (now < quietUntil) return;
    quietUntil = now + 1_000;
    listener(value);
  };
}
