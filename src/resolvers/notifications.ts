import { Arg, Args, Authorized, Ctx, ID, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type {
  Delivery as DeliveryRecord,
  NotificationRequest as RequestRecord,
  SendRequest,
  TemplateDraft,
  Template as TemplateRecord,
} from '../domains/notifications/index.js';
import { callerOf } from '../platform/caller.js';
import { readPaging } from '../platform/paging.js';
import { SaveTemplateInput, SendNotificationInput } from '../schema/notification-inputs.js';
import { SaveTemplatePayload, SendNotificationPayload } from '../schema/notification-payloads.js';
import {
  Delivery,
  DeliveryConnection,
  NotificationRequest,
  NotificationStatusUpdate,
  Template,
} from '../schema/notifications.js';
import { PagingArgs } from '../schema/relay.js';
import {
  DeliveryResolver,
  loadDelivery,
  NotificationRequestResolver,
  notificationNodes,
  TemplateResolver,
} from './notification-objects.js';
import {
  NotificationPreferencesResolver,
  NotificationSettingsResolver,
  subjectOf,
} from './notification-settings.js';
import { toPayload } from './payload.js';

@Resolver()
export class NotificationResolver {
  @Authorized('producer', 'admin')
  @Mutation(() => SendNotificationPayload, {
    description: 'Producer: accept one request. Idempotent on notificationId.',
  })
  async sendNotification(
    @Arg('input') input: SendNotificationInput,
    @Ctx() context: RequestContext,
  ): Promise<SendNotificationPayload> {
    const result = await context.app.notifications.send(callerOf(context), toSendRequest(input));
    return result.ok ? { ...result.value, userErrors: [] } : { suppressed: [], userErrors: result.errors };
  }

  @Authorized('producer', 'admin')
  @Query(() => NotificationRequest, {
    nullable: true,
    description: "Producer and admin: one request with each recipient's deliveries and their whole timeline.",
  })
  notificationRequest(
    @Arg('notificationId', () => ID) notificationId: string,
    @Arg('producer', () => String, { nullable: true }) producer: string | null,
    @Ctx() context: RequestContext,
  ): Promise<RequestRecord | null> {
    return context.app.notifications.request(callerOf(context), notificationId, producer ?? null);
  }

  @Query(() => Delivery, { nullable: true })
  delivery(
    @Arg('deliveryId', () => ID) deliveryId: string,
    @Ctx() context: RequestContext,
  ): Promise<DeliveryRecord | null> {
    return loadDelivery(deliveryId, context);
  }

  @Query(() => DeliveryConnection, {
    nullable: true,
    description: "A user's own deliveries; admin: anyone's.",
  })
  deliveries(
    @Arg('userId', () => ID, { nullable: true }) userId: string | null,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: RequestContext,
  ) {
    return context.app.notifications.deliveriesOfUser(subjectOf(context, userId), readPaging(args));
  }

  @Authorized('admin')
  @Query(() => Template, { nullable: true })
  template(
    @Arg('templateId', () => ID) templateId: string,
    @Ctx() context: RequestContext,
  ): Promise<TemplateRecord | null> {
    return context.app.notifications.findTemplate(templateId);
  }

  @Authorized('admin')
  @Mutation(() => SaveTemplatePayload)
  async saveTemplate(@Arg('input') input: SaveTemplateInput, @Ctx() context: RequestContext) {
    const { notifications } = context.app;
    return toPayload('template', await notifications.saveTemplate(callerOf(context), toTemplateDraft(input)));
  }

  @Subscription(() => NotificationStatusUpdate, {
    description: 'Every lifecycle event of a notification. Resumes: pass the last `cursor` as `after`.',
    subscribe: ({ context, args }: { context: RequestContext; args: StatusArgs }) =>
      context.app.notifications.follow(
        context.hub,
        callerOf(context),
        args.notificationId,
        args.after ?? null,
        context.signal,
      ),
  })
  notificationStatus(
    @Root() update: NotificationStatusUpdate,
    @Arg('notificationId', () => ID) _notificationId: string,
    @Arg('after', () => String, { nullable: true }) _after?: string | null,
  ): NotificationStatusUpdate {
    return update;
  }
}

interface StatusArgs {
  readonly notificationId: string;
  readonly after?: string | null;
}

export { notificationNodes };

export const notificationResolvers = [
  NotificationResolver,
  NotificationSettingsResolver,
  NotificationPreferencesResolver,
  DeliveryResolver,
  NotificationRequestResolver,
  TemplateResolver,
] as const;

/** In optional inputs null means absent. */
const toSendRequest = (input: SendNotificationInput): SendRequest => ({
  ...input,
  priority: input.priority ?? undefined,
  expiresAt: input.expiresAt ?? undefined,
  recipients: input.recipients.map(({ userId, channels, variables }) => ({
    userId,
    channels: channels ?? undefined,
    variables: variables ?? undefined,
  })),
});

const toTemplateDraft = (input: SaveTemplateInput): TemplateDraft => ({
  ...input,
  templateId: input.templateId ?? undefined,
  subject: input.subject ?? undefined,
  title: input.title ?? undefined,
  htmlBody: input.htmlBody ?? undefined,
  imageUrl: input.imageUrl ?? undefined,
  actionUrl: input.actionUrl ?? undefined,
  variables: input.variables ?? undefined,
});
