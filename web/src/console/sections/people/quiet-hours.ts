/** The time of day in a zone, as `HH:mm`; undefined for a zone that this browser does not know. */
export function timeIn(timezone: string, now: Date): string | undefined {
  try {
    const format = { timeZone: timezone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    return new Intl.DateTimeFormat('en-GB', format).format(now);
  } catch {
    return undefined;
  }
}

/** Whether a time of day is within quiet hours, which may last beyond midnight. */
export function isWithin(time: string, start: string, end: string): boolean {
  const [at, from, to] = [time, start, end].map((one) => one.slice(0, 5)) as [string, string, string];
  return from <= to ? at >= from && at < to : at >= from || at < to;
}
