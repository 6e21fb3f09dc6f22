import type { Queryable } from '../../../platform/postgres/postgres.js';
import { sql as statements } from './lacking-months.sql.js';

/** The tables that are partitioned by month. */
export const MONTHLY = [
  'notification_requests',
  'deliveries',
  'target_outcomes',
  'inbox_entries',
  'delivery_search_documents',
] as const;

/** This month from today on and the next, of those tables that lack partitions of it: rows of these days go to the default one. */
export async function findLackingMonths(
  postgres: Queryable,
): Promise<readonly { readonly table: string; readonly month: string }[]> {
  return (await postgres.query(statements.findLacking, [MONTHLY])).rows;
}
