import {
  Arg,
  Args,
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
import type * as words from '../domains/notifications/index.js';
import { callerOf } from '../platform/auth/caller.js';
import type { Result } from '../platform/errors.js';
import { readPaging } from '../platform/paging.js';
import {
  CreateWebhookInput,
  CreateWebhookPayload,
  DeleteWebhookInput,
  DeleteWebhookPayload,
  ReplayWebhookInput,
  ReplayWebhookPayload,
  RotateWebhookSecretInput,
  UpdateWebhookInput,
  UpdateWebhookPayload,
  Webhook,
  WebhookConnection,
  WebhookDelivery,
  WebhookDeliveryConnection,
} from '../schema/notification-webhooks.js';
import { PagingArgs, toGlobalId } from '../schema/relay.js';
import { toPayload } from './payload.js';
import { withoutNulls } from './without-nulls.js';

@Resolver(() => Webhook)
export class WebhooksResolver {
  @Authorized('producer', 'admin')
  @Query(() => WebhookConnection, {
    description:
      "A producer's own webhooks, newest first, without those that follow the log; for admins all of them.",
  })
  webhooks(@Args(() => PagingArgs) paging: PagingArgs, @Ctx() context: RequestContext) {
    return context.app.notifications.webhooks.page(callerOf(context), readPaging(paging));
  }

  @Authorized('producer', 'admin')
  @Query(() => Webhook, {
    nullable: true,
    description:
      'A webhook, for its owner and admins; one that follows the log for admins alone. Null where there is none.',
  })
  webhook(@Arg('webhookId', () => ID) webhookId: string, @Ctx() context: RequestContext) {
    return context.app.notifications.webhooks.find(callerOf(context), webhookId);
  }

  @FieldResolver(() => WebhookDeliveryConnection, {
    description:
      'Its events and what became of each, newest first; they are kept for 30 days unless configured otherwise.',
  })
  deliveries(
    @Root() { webhookId }: Webhook,
    @Arg('failedOnly', () => Boolean, {
      defaultValue: false,
      description: 'True: those alone whose last attempt failed.',
    })
    failedOnly: boolean,
    @Args(() => PagingArgs) paging: PagingArgs,
    @Ctx() { app }: RequestContext,
  ) {
    return app.notifications.webhooks.deliveries(webhookId, { failedOnly, page: readPaging(paging) });
  }

  @Authorized('producer', 'admin')
  @Mutation(() => CreateWebhookPayload, {
    description:
      'Producer: has events of their notifications sent to a URL. A producer has at most 20 webhooks, 5 of them active with lifecycle events.',
  })
  async createWebhook(@Arg('input') input: CreateWebhookInput, @Ctx() context: RequestContext) {
    const { webhooks } = context.app.notifications;
    return withSecret(await webhooks.create(callerOf(context), { ...input, url: String(input.url) }));
  }

  @Authorized('producer', 'admin')
  @Mutation(() => UpdateWebhookPayload, {
    description: 'Producer: changes a webhook, or switches it on again after it was disabled.',
  })
  async updateWebhook(@Arg('input') input: UpdateWebhookInput, @Ctx() context: RequestContext) {
    const { url, ...change } = withoutNulls(input);
    const { webhooks } = context.app.notifications;
    const wanted = { ...change, ...(url !== undefined && { url: String(url) }) };
    return toPayload('webhook', await webhooks.update(callerOf(context), wanted));
  }

  @Authorized('producer', 'admin')
  @Mutation(() => DeleteWebhookPayload, {
    description: 'Producer: sends nothing more to a webhook and forgets it, what waits for it included.',
  })
  async deleteWebhook(@Arg('input') { webhookId }: DeleteWebhookInput, @Ctx() context: RequestContext) {
    const deleted = await context.app.notifications.webhooks.remove(callerOf(context), webhookId);
    const deletedId = deleted.ok ? toGlobalId('Webhook', deleted.value) : null;
    return { ...toPayload('webhookId', deleted), deletedId };
  }

  @Authorized('producer', 'admin')
  @Mutation(() => CreateWebhookPayload, {
    description: 'Producer: a new secret of a webhook. The one before signs as well for 24 hours.',
  })
  async rotateWebhookSecret(
    @Arg('input') { webhookId }: RotateWebhookSecretInput,
    @Ctx() context: RequestContext,
  ) {
    return withSecret(await context.app.notifications.webhooks.rotateSecret(callerOf(context), webhookId));
  }

  @Authorized('producer', 'admin')
  @Directive('@rateLimit(limit: 12, duration: 60)')
  @Mutation(() => ReplayWebhookPayload, {
    description:
      'Producer: sends deliveries of a webhook again, one, or all since a time, whether they were taken or not.',
  })
  async replayWebhook(@Arg('input') input: ReplayWebhookInput, @Ctx() context: RequestContext) {
    const result = await context.app.notifications.webhooks.replay(callerOf(context), withoutNulls(input));
    return result.ok
      ? { ...result.value, userErrors: [] }
      : { queued: 0, nextSince: null, webhook: null, userErrors: result.errors };
  }
}

@Resolver(() => WebhookDelivery)
export class WebhookDeliveryResolver {
  @FieldResolver()
  id(@Root() { deliveryId }: WebhookDelivery): string {
    return deliveryId;
  }
}

const withSecret = (result: Result<{ readonly webhook: words.Webhook; readonly secret: string }>) =>
  result.ok
    ? { ...result.value, userErrors: [] }
    : { webhook: null, secret: null, userErrors: result.errors };

/** Loads webhooks for `node`. */
export const webhookNodes = {
  Webhook: async (webhookId: string, context: RequestContext) =>
    context.viewer ? context.app.notifications.webhooks.find(callerOf(context), webhookId) : null,
};

export const webhookResolvers = [WebhooksResolver, WebhookDeliveryResolver] as const;
