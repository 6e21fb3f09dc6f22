/** For SQL: a table with a row for each lifecycle event, while rows of delivery_events may stand for several. */
export const LIFECYCLE_EVENTS = `(SELECT l.request_id, l.delivery_id, l.status, l.at, e.number, e.event, e.detail
  FROM delivery_events l CROSS JOIN LATERAL lifecycle_events_of(l.number, l.event, l.detail, l.earlier) AS e)`;
