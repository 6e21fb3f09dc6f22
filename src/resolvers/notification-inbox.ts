import {
  Arg,
  Args,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { InboxItem as ItemRecord } from '../domains/notifications/index.js';
import { readPaging } from '../platform/paging.js';
import {
  InboxArgs,
  InboxConnection,
  InboxItem,
  InboxUpdate,
  MarkInboxInput,
  MarkInboxPayload,
} from '../schema/notification-inbox.js';
import { toGlobalId } from '../schema/relay.js';
import { subjectOf } from './notification-settings.js';

/** Everybody's inbox is his own; there is none to be named. */
@Resolver()
export class NotificationInboxResolver {
  @Query(() => InboxConnection, { nullable: true })
  inbox(@Args(() => InboxArgs) { filter, ...paging }: InboxArgs, @Ctx() context: RequestContext) {
    return context.app.notifications.inbox.page(subjectOf(context, null), readPaging(paging), filter);
  }

  @Mutation(() => MarkInboxPayload)
  async markInbox(
    @Arg('input') { action, itemIds }: MarkInboxInput,
    @Ctx() context: RequestContext,
  ): Promise<MarkInboxPayload> {
    const { inbox } = context.app.notifications;
    const userId = subjectOf(context, null);
    const result = await inbox.mark(userId, action, itemIds ?? null);
    if (result.ok) return { ...result.value, userErrors: [] };
    return { changed: 0, unreadCount: await inbox.unreadCount(userId), userErrors: result.errors };
  }

  @Subscription(() => InboxUpdate, {
    description: 'What comes to the inbox and is marked in it. Resumes: pass the last `cursor` as `after`.',
    subscribe: ({ context, args }: { context: RequestContext; args: { readonly after?: string | null } }) =>
      context.app.notifications.inbox.follow(
        context.hub,
        subjectOf(context, null),
        args.after ?? null,
        context.signal,
      ),
  })
  inboxUpdated(
    @Root() update: InboxUpdate,
    @Arg('after', () => String, { nullable: true }) _after?: string | null,
  ): InboxUpdate {
    return update;
  }
}

@Resolver(() => InboxItem)
export class InboxItemResolver {
  @FieldResolver(() => ID)
  id(@Root() item: ItemRecord): string {
    return toGlobalId('InboxItem', item.itemId);
  }
}

export const inboxResolvers = [NotificationInboxResolver, InboxItemResolver] as const;

/** How `node` finds the caller's items. */
export const inboxNodes = {
  InboxItem: (itemId: string, context: RequestContext): Promise<ItemRecord | null> => {
    subjectOf(context, null);
    return context.loaders.inboxItem.load(itemId);
  },
};
