import {
  Arg,
  Authorized,
  Ctx,
  Directive,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { RequestContext } from '../context.js';
import { BUILT_INS } from '../domains/notifications/index.js';
import { callerOf, isAdmin, mayProduce } from '../platform/auth/caller.js';
import { User } from '../schema/feed.js';
import {
  DeleteUserAttributeInput,
  DeleteUserAttributePayload,
  SegmentEstimate,
  SetUserAttributesInput,
  SetUserAttributesPayload,
  UserAttribute,
} from '../schema/notification-segments.js';
import { toGlobalId } from '../schema/relay.js';
import { JSONObject } from '../schema/scalars.js';

type Attribute = Omit<UserAttribute, 'id'>;

const builtIns: readonly Attribute[] = Object.entries(BUILT_INS).map(([name, type]) => ({
  name,
  type,
  isBuiltIn: true,
  createdBy: null,
  createdAt: null,
  deletedAt: null,
}));

/** The built-in ones, then those that were set. */
async function listAttributes(context: RequestContext): Promise<Attribute[]> {
  const set = await context.app.notifications.segments.attributes();
  return [...builtIns, ...set.map((one) => shown(one, context))];
}

/** One that was set; who did it is for admins. */
const shown = (set: Omit<Attribute, 'isBuiltIn'>, context: RequestContext): Attribute => ({
  ...set,
  isBuiltIn: false,
  createdBy: isAdmin(callerOf(context)) ? set.createdBy : null,
});

@Resolver(() => SegmentEstimate)
export class SegmentsResolver {
  @Authorized('producer', 'admin')
  @Directive('@rateLimit(limit: 600, duration: 60)')
  @Mutation(() => SetUserAttributesPayload, {
    description:
      "Producer and admin: merges attributes into users', all or nothing. An attribute has one type for everybody, that of the first value that anybody got; for dates and date-times it is the date-time.",
  })
  async setUserAttributes(
    @Arg('input') { users }: SetUserAttributesInput,
    @Ctx() context: RequestContext,
  ): Promise<SetUserAttributesPayload> {
    const result = await context.app.notifications.segments.setAttributes(callerOf(context), users);
    return result.ok ? { changed: result.value, userErrors: [] } : { changed: 0, userErrors: result.errors };
  }

  @Authorized('producer', 'admin')
  @Query(() => [UserAttribute], {
    nullable: true,
    description:
      'Producer and admin: what filters may ask for, the built-in ones first, then by name; at most 1,000 and the built-in ones.',
  })
  userAttributes(@Ctx() context: RequestContext) {
    return listAttributes(context);
  }

  @Authorized('admin')
  @Query(() => JSONObject, {
    nullable: true,
    description: 'Admin: the attributes that were set of a user, names to values; without the built-in ones.',
  })
  attributesOfUser(
    @Arg('userId', () => ID, {
      description: 'The user, by raw id or global id. They need no account.',
    })
    userId: string,
    @Ctx() { app }: RequestContext,
  ) {
    return app.notifications.segments.attributesOf(userId);
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 60, duration: 60)')
  @Mutation(() => DeleteUserAttributePayload, {
    description:
      'Admin: deletes an attribute of everybody. Filters do not know it from now on, and campaigns that ask for it fail at their next page; its values are removed in the background, and the name can be used again, with another type, once it is gone from `userAttributes`.',
  })
  async deleteUserAttribute(
    @Arg('input') { name }: DeleteUserAttributeInput,
    @Ctx() context: RequestContext,
  ): Promise<DeleteUserAttributePayload> {
    const result = await context.app.notifications.segments.deleteAttribute(callerOf(context), name);
    if (!result.ok) return { deletedId: null, userErrors: result.errors };
    return { deletedId: toGlobalId('UserAttribute', result.value), userErrors: [] };
  }

  @Authorized('producer', 'admin')
  @Directive('@rateLimit(limit: 120, duration: 60)')
  @Query(() => SegmentEstimate, {
    description: 'Producer and admin: how many of the users who have an account a filter means.',
  })
  async estimateSegment(
    @Arg('filter', {
      description:
        'Questions about attributes, joined by `and`, `or` and `not`: `plan = "pro" and country in ("DE", "FR") and not (lastSeenDays > 30)`. At most 8 KB and 50 questions. docs/segments.md has the language.',
    })
    filter: string,
    @Ctx() { app }: RequestContext,
  ): Promise<SegmentEstimate> {
    const result = await app.notifications.segments.estimate(filter, ['filter']);
    if (!result.ok) return { count: 0, sampleIds: [], userErrors: result.errors };
    const { count, sample } = result.value;
    return { count, sampleIds: sample, userErrors: [] };
  }

  @FieldResolver(() => [User], {
    description: 'Up to 10 users whom it means. Empty where it was refused.',
  })
  async sample(@Root() { sampleIds }: SegmentEstimate, @Ctx() { loaders }: RequestContext) {
    const users = await loaders.user.loadMany(sampleIds);
    return users.filter((user) => user !== null && !(user instanceof Error));
  }
}

/** Loads attributes for `node`: for producers and admins. */
export const attributeNodes = {
  async UserAttribute(name: string, context: RequestContext) {
    if (!mayProduce(callerOf(context))) return null;
    const builtIn = builtIns.find((one) => one.name === name);
    if (builtIn) return builtIn;
    const set = await context.loaders.userAttribute.load(name);
    return set && shown(set, context);
  },
};
