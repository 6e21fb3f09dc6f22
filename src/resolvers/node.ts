import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { PublicError } from '../platform/errors.js';
import { MAX_PAGE } from '../platform/paging.js';
import { fromGlobalId, Node } from '../schema/relay.js';
import { apiKeyNodes } from './api-keys.js';
import { commerceNodes } from './commerce.js';
import { feedNodes } from './feed.js';
import { logNodes } from './log.js';
import { attributeNodes } from './notification-segments.js';
import { notificationNodes } from './notifications.js';

type LoadNode = (rawId: string, context: RequestContext) => Promise<object | null> | null;

const nodes: Readonly<Record<string, LoadNode>> = {
  ...feedNodes,
  ...notificationNodes,
  ...commerceNodes,
  ...logNodes,
  ...apiKeyNodes,
  ...attributeNodes,
};

/** The types that `node` finds. */
export const nodeTypes = Object.keys(nodes);

/** Finds an object by its global id, under the rules of its own field. What the viewer may not see is null. */
async function loadNode(id: string, context: RequestContext): Promise<object | null> {
  const parts = fromGlobalId(id);
  const load = parts && Object.hasOwn(nodes, parts.type) ? nodes[parts.type] : undefined;
  if (!parts || !load) return null;
  try {
    const found = await load(parts.rawId, context);
    return found && { ...found, __typename: parts.type };
  } catch (error) {
    if (error instanceof PublicError && error.code === 'FORBIDDEN') return null;
    throw error;
  }
}

@Resolver()
export class NodeResolver {
  @Query(() => Node, {
    nullable: true,
    description:
      'Any object by its global id. Null where there is none, and where the caller may not see it.',
  })
  node(
    @Arg('id', () => ID, { description: 'The `id` of an object, as the API gave it.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<object | null> {
    return loadNode(id, context);
  }

  @Query(() => [Node], {
    nullable: 'items',
    description:
      'Several objects by their global ids, in the order asked; null for each that there is none of, or that the caller may not see.',
  })
  nodes(
    @Arg('ids', () => [ID], { description: 'At most 100.' }) ids: string[],
    @Ctx() context: RequestContext,
  ): Promise<(object | null)[]> {
    if (ids.length > MAX_PAGE) throw new PublicError('BAD_USER_INPUT', `At most ${MAX_PAGE} ids`);
    return Promise.all(ids.map((id) => loadNode(id, context)));
  }
}
