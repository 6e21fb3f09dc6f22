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
import { readPaging } from '../platform/paging.js';
import {
  InboxArgs,
  InboxConnection,
  InboxItem,
  InboxUpdate,
  MarkInboxInput,
  MarkInboxPayload,
} from '../schema/notification-inbox.js';
import { isOfAnother, subjectOf, WHOSE } from './subject.js';

/** Each user has one inbox. */
@Resolver()
export class NotificationInboxResolver {
  @Query(() => InboxConnection, {
    nullable: true,
    description:
      "A user's inbox, newest first. What is shown of the caller's own counts as delivered; looking at another user's changes nothing. `node` finds the caller's own items alone.",
  })
  inbox(
    @Args(() => InboxArgs) { filter, ...paging }: InboxArgs,
    @Arg('userId', () => ID, WHOSE) userId: string | null,
    @Ctx() context: RequestContext,
  ) {
    const { inbox } = context.app.notifications;
    const subject = subjectOf(context, userId);
    const read = isOfAnother(context, subject) ? inbox.look : inbox.page;
    return read(subject, readPaging(paging), filter);
  }

  @Mutation(() => MarkInboxPayload, { description: "Marks items of the caller's inbox." })
  async markInbox(
    @Arg('input') { action, itemIds }: MarkInboxInput,
    @Ctx() context: RequestContext,
  ): Promise<MarkInboxPayload> {
    const { inbox } = context.app.notifications;
    const userId = subjectOf(context, null);
    const result = await inbox.mark(userId, action, itemIds ?? null);
    if (!result.ok) {
      const { unreadCount, unreadCountIsEstimate } = await inbox.unread(userId);
      return { changed: 0, unreadCount, unreadCountIsEstimate, marked: null, userErrors: result.errors };
    }
    const { since, ...marked } = result.value;
    return { ...marked, marked: { itemIds: itemIds ?? null, since }, userErrors: [] };
  }

  @Subscription(() => InboxUpdate, {
    description: "What comes to the caller's inbox, and what is marked in it.",
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

/** Items that `markInbox` shows where it was given no ids. */
const MAX_SHOWN = 100;

@Resolver(() => MarkInboxPayload)
export class MarkInboxPayloadResolver {
  @FieldResolver(() => [InboxItem], {
    description: `With \`itemIds\`: those of them that are in the caller's inbox, changed or not, as they are now. Without: the first ${MAX_SHOWN} that changed; where \`changed\` is more, read the inbox again. Empty where it was refused.`,
  })
  async items(@Root() { marked }: MarkInboxPayload, @Ctx() context: RequestContext) {
    if (!marked) return [];
    const { inbox } = context.app.notifications;
    const userId = subjectOf(context, null);
    return marked.itemIds
      ? inbox.items(userId, marked.itemIds)
      : inbox.changedSince(userId, marked.since, MAX_SHOWN);
  }
}

export const inboxResolvers = [NotificationInboxResolver, MarkInboxPayloadResolver] as const;

/** How `node` finds the caller's items. */
export const inboxNodes = {
  InboxItem: (itemId: string, context: RequestContext) => {
    subjectOf(context, null);
    return context.loaders.inboxItem.load(itemId);
  },
};
