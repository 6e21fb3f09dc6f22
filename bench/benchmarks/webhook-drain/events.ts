/** Events of a notification. */
export const EACH = 3;

/** The id of an event. */
export const idOf = (n: number): string => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

/** What an event's body says. */
export const dataOf = (n: number) => ({
  notification_id: `bench-${Math.floor(n / EACH)}`,
  request_id: idOf(Math.floor(n / EACH)),
  delivery_id: idOf(Math.floor(n / EACH)),
  user_id: `user-${n % 1_000}`,
  channel: 'push',
  notification_type: 'NEW_MESSAGE',
  event: 'DELIVERED',
  status: 'DELIVERED',
  number: (n % EACH) + 1,
  detail: null,
});

/** An event's body. */
export const bodyOf = (n: number): string =>
  JSON.stringify({ type: 'DELIVERED', timestamp: '2026-01-31T12:00:00.000Z', data: dataOf(n) });
