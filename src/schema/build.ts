import 'reflect-metadata';
import { GraphQLSchema, isInterfaceType, specifiedDirectives } from 'graphql';
import { type AuthCheckerFn, buildSchema, type PubSub } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { FieldLimiter } from '../domains/limits/index.js';
import type { Role } from '../platform/auth/auth.js';
import { PublicError } from '../platform/errors.js';
import { apiKeyResolvers } from '../resolvers/api-keys.js';
import { commerceResolvers } from '../resolvers/commerce.js';
import { feedResolvers } from '../resolvers/feed.js';
import { engagementResolvers } from '../resolvers/feed-engagement.js';
import { graphResolvers } from '../resolvers/feed-graph.js';
import { postsResolvers } from '../resolvers/feed-posts.js';
import { feedReadResolvers } from '../resolvers/feed-read.js';
import { limitsResolvers } from '../resolvers/limits.js';
import { logResolvers } from '../resolvers/log.js';
import { NodeResolver } from '../resolvers/node.js';
import { notificationResolvers } from '../resolvers/notifications.js';
import { operationsResolvers } from '../resolvers/operations.js';
import { UserErrorResolver } from '../resolvers/user-error.js';
import { addNodes } from './connections.js';
import { describeByConvention } from './descriptions.js';
import { giveGlobalIds, takeGlobalIds } from './global-ids.js';
import { limitFields, rateLimitDefinition } from './rate-limit-directive.js';

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
const noPubSub: PubSub = { publish: refusePublishing, subscribe: refusePublishing };

function refusePublishing(): never {
  throw new Error('subscriptions follow their sources; nothing is published here');
}

/**
 * The executable schema of the whole API.
 *
 * @param options.fields keeps the limits that fields declare by `@rateLimit`; without it nothing is limited
 */
export async function buildApiSchema({
  fields,
}: {
  readonly fields?: FieldLimiter;
} = {}): Promise<GraphQLSchema> {
  const schema = await buildSchema({
    resolvers: [
      NodeResolver,
      UserErrorResolver,
      ...feedResolvers,
      ...graphResolvers,
      ...engagementResolvers,
      ...postsResolvers,
      ...feedReadResolvers,
      ...notificationResolvers,
      ...commerceResolvers,
      ...logResolvers,
      ...operationsResolvers,
      ...limitsResolvers,
      ...apiKeyResolvers,
    ],
    directives: [...specifiedDirectives, rateLimitDefinition],
    authChecker: checkRole,
    pubSub: noPubSub,
    validate: false,
    // It would run an introspection of the whole at each start; `npm run schema:check` validates it.
    skipCheck: true,
  });
  // type-graphql resolves abstract types asynchronously: a promise for each object of a page.
  for (const type of Object.values(schema.getTypeMap()))
    if (isInterfaceType(type)) type.resolveType = typeNameOf;
  addNodes(schema);
  describeByConvention(schema);
  giveGlobalIds(schema);
  takeGlobalIds(schema);
  return withoutOwnDirectives(fields ? limitFields(schema, fields) : schema);
}

/** How fields are limited is said by docs/limits.md; clients can apply none of the directives that say it here. */
const withoutOwnDirectives = (schema: GraphQLSchema): GraphQLSchema =>
  new GraphQLSchema({ ...schema.toConfig(), directives: specifiedDirectives });

/** A resolver that returns an object of an interface names its type. */
const typeNameOf = (value: { readonly __typename: string }): string => value.__typename;
