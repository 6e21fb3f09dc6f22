import type { RequestContext } from '../context.js';
import type { Accepted, PositionWait, Wait } from '../domains/commerce/index.js';
import { type Caller, callerOf } from '../platform/auth/caller.js';
import { PublicError, type Result } from '../platform/errors.js';
import type { Connection } from '../platform/paging.js';
import type { AsOfArgs, CommandResult } from '../schema/commerce-command.js';
import { pointsOf } from '../schema/rate-limit-directive.js';

/** What a command answers: its stream and version, or why it was refused. */
export function toCommandPayload(result: Result<Accepted>): CommandResult {
  return result.ok
    ? {
        aggregateId: result.value.aggregateId,
        version: result.value.version,
        position: String(result.value.position),
        userErrors: [],
      }
    : { aggregateId: null, version: null, position: null, userErrors: result.errors };
}

/** Only the past is replayed from streams: only that is charged to the limit of a field with `asOf`. */
export const pointsOfPast = pointsOf(({ asOf }: AsOfArgs) => (asOf ? 1 : 0));

/** The moment that is asked for; null for now. @throws PublicError BAD_USER_INPUT beside another wish */
export function momentOf({ asOf, ...others }: AsOfArgs & { afterPosition?: string | null }): Date | null {
  const { afterVersion, afterPosition } = others;
  if (asOf != null && (afterVersion != null || afterPosition != null)) {
    const other = afterVersion != null ? 'afterVersion' : 'afterPosition';
    throw new PublicError('BAD_USER_INPUT', `Use ${other} or asOf, not both`, ['asOf']);
  }
  return asOf ?? null;
}

/** What a query with `afterVersion` waits for; undefined where it gave none. */
export function waitFor(afterVersion: number | null | undefined, context: RequestContext): Wait | undefined {
  if (afterVersion == null) return undefined;
  return { afterVersion, hub: context.hub, clock: context.app.clock, signal: context.signal };
}

/** Reads a thing as it was at `asOf`, or as it is, once it has reached `afterVersion`. */
export async function readAsAsked<Model, Shown>(
  args: AsOfArgs,
  context: RequestContext,
  of: {
    readonly id: string;
    now(caller: Caller, id: string, wait?: Wait): Promise<Model | null>;
    past(caller: Caller, id: string, asOf: Date): Promise<Model | null>;
    show(model: Model): Shown;
  },
): Promise<Shown | null> {
  const asOf = momentOf(args);
  const caller = callerOf(context);
  const model = asOf
    ? await of.past(caller, of.id, asOf)
    : await of.now(caller, of.id, waitFor(args.afterVersion, context));
  return model && of.show(model);
}

const POSITION = /^\d{1,15}$/;

/**
 * What a query with `afterPosition` waits for; undefined where it gave none.
 *
 * @throws PublicError BAD_USER_INPUT
 */
export function waitForPosition(
  afterPosition: string | null | undefined,
  context: RequestContext,
): PositionWait | undefined {
  if (afterPosition == null) return undefined;
  if (!POSITION.test(afterPosition)) throw new PublicError('BAD_USER_INPUT', 'afterPosition is no position');
  return {
    afterPosition: Number(afterPosition),
    hub: context.hub,
    clock: context.app.clock,
    signal: context.signal,
  };
}

/** A page as the API shows it. */
export const showPage = <Item, Shown>(page: Connection<Item>, show: (item: Item) => Shown) => ({
  ...page,
  edges: page.edges.map(({ cursor, node }) => ({ cursor, node: show(node) })),
});
