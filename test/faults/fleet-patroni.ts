import { type PatroniCluster, startPatroni } from '../support/patroni.js';
import { createDatabase, type FleetDatabase } from './fleet-postgres.js';

/** The product's database on a Postgres that fails over; its addresses lead to the primary of the moment. */
export interface FleetPatroni extends FleetDatabase {
  readonly cluster: PatroniCluster;
}

export async function startFleetPatroni(): Promise<FleetPatroni> {
  const cluster = await startPatroni();
  try {
    const { url, admin } = await createDatabase(cluster.url);
    return {
      url,
      admin,
      cluster,
      async close() {
        await admin.end().catch(() => undefined);
        await cluster.close();
      },
    };
  } catch (error) {
    await cluster.close();
    throw error;
  }
}
