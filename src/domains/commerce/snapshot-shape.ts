import type { z } from 'zod';
import type { SnapshotShape } from '../../platform/event-log/aggregate.js';
import type { JsonObject } from '../../platform/event-log/index.js';

/**
 * How a state is stored: as JSON, with amounts (bigint) as text.
 *
 * @param version raised whenever the state's shape, or what `evolve` makes of events, changes
 * @param state its amounts are `z.coerce.bigint()`
 */
export const snapshotShape = <State>(version: number, state: z.ZodType<State>): SnapshotShape<State> => ({
  version,
  encode: (given) =>
    JSON.parse(
      JSON.stringify(given, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
    ) as JsonObject,
  decode: (data) => state.parse(data),
});
