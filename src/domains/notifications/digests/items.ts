import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import type { DigestPlace } from '../intake/request.js';
import { sql as statements } from './items.sql.js';

/** A delivery that waits in a digest, with its row locked. Its text was made when it was accepted. */
export type Item = RowOf<typeof statements.lockGathered>;

/** Puts deliveries into their digests, in the transaction that decides so. Intake does this in accept_notifications. */
export async function storeItems(
  tx: Queryable,
  decided: readonly {
    readonly due: { readonly deliveryId: string };
    readonly digest?: DigestPlace | undefined;
  }[],
): Promise<void> {
  const gathered = decided.flatMap(({ due, digest }) =>
    digest ? [{ ...digest, deliveryId: due.deliveryId }] : [],
  );
  if (gathered.length === 0) return;
  await tx.query(statements.store, [
    gathered.map(({ deliveryId }) => deliveryId),
    gathered.map(({ id }) => id),
    gathered.map(({ dueAt }) => dueAt),
  ]);
}

/**
 * Takes deliveries whose rows are locked out of their digests.
 *
 * @returns those that waited: the others went out
 */
export async function takeFromDigests(
  tx: Queryable,
  deliveryIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (deliveryIds.length === 0) return new Set();
  const { rows } = await tx.query(statements.take, [deliveryIds]);
  return new Set(rows.map(({ deliveryId }) => deliveryId));
}
