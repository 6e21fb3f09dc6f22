/** A time as a browser's field for date and time has it: in the viewer's zone, to the minute. Empty for what is no time. */
export function localTime(time: string | Date, { withSeconds = false } = {}): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, withSeconds ? 19 : 16);
}
