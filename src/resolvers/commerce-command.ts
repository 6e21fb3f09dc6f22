import type { RequestContext } from '../context.js';
import type { Accepted, Wait } from '../domains/commerce/index.js';
import type { Result } from '../platform/errors.js';
import type { Connection } from '../platform/paging.js';
import type { CommandResult } from '../schema/commerce-command.js';

/** What a command answers: its stream and version, or why it was refused. */
export function toCommandPayload(result: Result<Accepted>): CommandResult {
  return result.ok
    ? { aggregateId: result.value.aggregateId, version: result.value.version, userErrors: [] }
    : { aggregateId: null, version: null, userErrors: result.errors };
}

/** What a query with `afterVersion` waits for; undefined where it gave none. */
export function waitFor(afterVersion: number | null | undefined, context: RequestContext): Wait | undefined {
  if (afterVersion == null) return undefined;
  return { afterVersion, hub: context.hub, clock: context.app.clock, signal: context.signal };
}

/** A page as the API shows it. */
export const showPage = <Item, Shown>(page: Connection<Item>, show: (item: Item) => Shown) => ({
  ...page,
  edges: page.edges.map(({ cursor, node }) => ({ cursor, node: show(node) })),
});
