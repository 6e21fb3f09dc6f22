import 'reflect-metadata';
import { type GraphQLSchema, isInterfaceType } from 'graphql';
import { type AuthCheckerFn, buildSchema, type PubSub } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { Role } from '../platform/auth.js';
import { PublicError } from '../platform/errors.js';
import { commerceResolvers } from '../resolvers/commerce.js';
import { feedResolvers } from '../resolvers/feed.js';
import { logResolvers } from '../resolvers/log.js';
import { NodeResolver } from '../resolvers/node.js';
import { notificationResolvers } from '../resolvers/notifications.js';

/** `@Authorized()` wants a token, `@Authorized('producer')` a role; an admin has every role. */
const checkRole: AuthCheckerFn<RequestContext, Role> = ({ context }, roles) => {
  if (!context.viewer) throw new PublicError('UNAUTHENTICATED', 'This needs a token');
  const { roles: held } = context.viewer;
  if (roles.length > 0 && !held.has('admin') && !roles.some((role) => held.has(role))) {
    throw new PublicError('FORBIDDEN', `This needs the role ${roles.join(' or ')}`);
  }
  return true;
};

/** type-graphql wants one even where every subscription brings its own source. */
const noPubSub: PubSub = {
  publish: () => {
    throw new Error('subscriptions follow their sources; nothing is published here');
  },
  subscribe: () => {
    throw new Error('subscriptions follow their sources; nothing is published here');
  },
};

/** The executable schema of the whole API. */
export async function buildApiSchema(): Promise<GraphQLSchema> {
  const schema = await buildSchema({
    resolvers: [
      NodeResolver,
      ...feedResolvers,
      ...notificationResolvers,
      ...commerceResolvers,
      ...logResolvers,
    ],
    authChecker: checkRole,
    pubSub: noPubSub,
    validate: false,
  });
  // type-graphql resolves abstract types asynchronously, which a compiled query cannot wait for.
  for (const type of Object.values(schema.getTypeMap()))
    if (isInterfaceType(type)) type.resolveType = typeNameOf;
  return schema;
}

/** Whoever returns an object behind an interface names its type. */
const typeNameOf = (value: { readonly __typename: string }): string => value.__typename;
