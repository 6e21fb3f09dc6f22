import { Arg, Args, Authorized, Ctx, Directive, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { BacklogEntry } from '../domains/notifications/index.js';
import { readPaging } from '../platform/paging.js';
import { DeliveryFilter, NotificationBacklogEntry } from '../schema/notification-search.js';
import { Delivery, DeliveryConnection } from '../schema/notifications.js';
import { PagingArgs } from '../schema/relay.js';
import { withoutNulls } from './without-nulls.js';

@Resolver(() => NotificationBacklogEntry)
export class NotificationBacklogResolver {
  @Authorized('admin')
  @Directive('@rateLimit(limit: 120, duration: 60)')
  @Query(() => [NotificationBacklogEntry], {
    nullable: true,
    description:
      'Admin: what waits and what was given up, by channel and cause, the longest waiting first. Cheap enough to be asked every few seconds, however much waits.',
  })
  notificationBacklog(@Ctx() { app }: RequestContext) {
    return app.notifications.backlog();
  }

  @FieldResolver(() => Delivery, {
    nullable: true,
    description: 'The one that waits the longest. Null where it was forgotten in this moment.',
  })
  oldest(@Root() { oldestId }: BacklogEntry, @Ctx() { loaders }: RequestContext) {
    return loaders.delivery.load(oldestId);
  }
}

@Resolver()
export class DeliverySearchResolver {
  @Authorized('admin')
  @Directive('@rateLimit(limit: 600, duration: 60)')
  @Query(() => DeliveryConnection, {
    nullable: true,
    description:
      'Admin: deliveries of anybody, newest first, within seconds of their acceptance. A page searches 4 million deliveries at most: where few are found it has fewer than `first`, or none, while `hasNextPage` is true and `endCursor` goes on. Narrow it by `from` and `to`. A delivery that is accepted while pages are read stands before them.',
  })
  searchDeliveries(
    @Args(() => PagingArgs) args: PagingArgs,
    @Arg('query', () => String, {
      nullable: true,
      description:
        'At most 8 words, 200 characters. Those deliveries are found whose title, subtitle, subject, body or address has for each of them a word that begins with it, whatever the case and the accents. Codes are not found. Absent: all that pass the filter.',
    })
    query: string | null,
    @Arg('filter', () => DeliveryFilter, {
      nullable: true,
      description: 'Which deliveries. Absent: all.',
    })
    filter: DeliveryFilter | null,
    @Ctx() { app }: RequestContext,
  ) {
    return app.notifications.searchDeliveries(query ?? null, withoutNulls(filter ?? {}), readPaging(args));
  }
}

export const searchResolvers = [NotificationBacklogResolver, DeliverySearchResolver] as const;
