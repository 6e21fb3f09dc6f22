import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { PublicError } from '../platform/errors.js';
import { MAX_PAGE } from '../platform/paging.js';
import { fromGlobalId, Node } from '../schema/relay.js';
import { commerceNodes } from './commerce.js';
import { feedNodes } from './feed.js';
import { engagementNodes } from './feed-engagement.js';
import { feedMediaNodes } from './feed-media.js';
import { notificationNodes } from './notifications.js';

type LoadNode = (rawId: string, context: RequestContext) => Promise<object | null> | null;

const nodes: Readonly<Record<string, LoadNode>> = {
  ...feedNodes,
  ...engagementNodes,
  ...feedMediaNodes,
  ...notificationNodes,
  ...commerceNodes,
};

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
  @Query(() => Node, { nullable: true })
  node(@Arg('id', () => ID) id: string, @Ctx() context: RequestContext): Promise<object | null> {
    return loadNode(id, context);
  }

  @Query(() => [Node], { nullable: 'items' })
  nodes(@Arg('ids', () => [ID]) ids: string[], @Ctx() context: RequestContext): Promise<(object | null)[]> {
    if (ids.length > MAX_PAGE) throw new PublicError('BAD_USER_INPUT', `At most ${MAX_PAGE} ids`);
    return Promise.all(ids.map((id) => loadNode(id, context)));
  }
}
