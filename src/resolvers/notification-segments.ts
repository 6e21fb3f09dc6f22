import {
  Arg,
  Authorized,
  Ctx,
  Directive,
  FieldResolver,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { RequestContext } from '../context.js';
import { callerOf } from '../platform/auth/caller.js';
import { User } from '../schema/feed.js';
import {
  SegmentEstimate,
  SetUserAttributesInput,
  SetUserAttributesPayload,
} from '../schema/notification-segments.js';

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
