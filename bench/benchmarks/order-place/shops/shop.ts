import type { PostgresServer } from '../../../harness/postgres-server.ts';
import type { Answer, OrderToPlace } from '../scenario.ts';

/** A shop as a writer uses it. */
export interface Shop {
  /** Places one order, whole or not at all. */
  place(order: OrderToPlace): Promise<Answer>;
  close(): Promise<void>;
}

/** What a shop has stored, as its tables say. */
export interface Books {
  /** The id of every stored order, as often as it is stored. */
  readonly orderIds: readonly string[];
  /** Units of each product that stored orders name. */
  readonly ordered: ReadonlyMap<string, number>;
  /** Units of each product that the shelf has promised away. */
  readonly promised: ReadonlyMap<string, number>;
  /** What each customer who owes something owes, in minor units. */
  readonly owed: ReadonlyMap<string, number>;
  /** Broken promises of its own kind, in words. */
  readonly faults: readonly string[];
}

/** A kind of shop. */
export interface ShopKind {
  /** Makes tables, products and customers in an empty database. */
  found(databaseUrl: string): Promise<void>;
  open(databaseUrl: string): Promise<Shop>;
  readBooks(server: PostgresServer, database: string): Promise<Books>;
}
