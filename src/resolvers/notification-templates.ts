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
import type { Template as TemplateRecord } from '../domains/notifications/index.js';
import { callerOf, mayProduce } from '../platform/auth/caller.js';
import { readPaging } from '../platform/paging.js';
import {
  ActivateTemplateInput,
  ActivateTemplatePayload,
  DeactivateTemplateInput,
  DeactivateTemplatePayload,
  PreviewTemplateInput,
  SaveTemplateInput,
  SaveTemplatePayload,
  SendTestNotificationInput,
  SendTestNotificationPayload,
  Template,
  TemplateConnection,
  TemplateFilter,
  TemplatePreview,
} from '../schema/notification-templates.js';
import { PagingArgs } from '../schema/relay.js';
import { toPayload } from './payload.js';
import { withoutNulls } from './without-nulls.js';

@Resolver()
export class NotificationTemplatesResolver {
  @Authorized('producer', 'admin')
  @Query(() => Template, {
    nullable: true,
    description: 'Producer, admin: a template. Null where there is none.',
  })
  template(@Arg('templateId', () => ID) templateId: string, @Ctx() context: RequestContext) {
    return context.app.notifications.findTemplate(templateId);
  }

  @Authorized('producer', 'admin')
  @Query(() => TemplateConnection, {
    nullable: true,
    description: 'Producer, admin: templates by type, channel, language and version.',
  })
  templates(
    @Args(() => PagingArgs) args: PagingArgs,
    @Arg('filter', () => TemplateFilter, { nullable: true, description: 'Which templates. Absent: all.' })
    filter: TemplateFilter | null,
    @Ctx() context: RequestContext,
  ) {
    return context.app.notifications.templates.page(withoutNulls(filter ?? {}), readPaging(args));
  }

  @Authorized('producer', 'admin')
  @Directive('@rateLimit(limit: 600, duration: 60)')
  @Query(() => TemplatePreview, {
    nullable: true,
    description: 'Producer, admin: renders a template without sending it, by the same code as a real send.',
  })
  async previewTemplate(@Arg('input') input: PreviewTemplateInput, @Ctx() context: RequestContext) {
    const draft = input.draft ? toDraft(input.draft) : undefined;
    const preview = { ...withoutNulls(input), draft };
    return toPayload('content', await context.app.notifications.templates.preview(preview));
  }

  @Authorized('admin')
  @Mutation(() => SaveTemplatePayload, { description: 'Admin: saves a new version of a template.' })
  async saveTemplate(@Arg('input') input: SaveTemplateInput, @Ctx() context: RequestContext) {
    const { notifications } = context.app;
    return toPayload('template', await notifications.saveTemplate(callerOf(context), toDraft(input)));
  }

  @Authorized('admin')
  @Mutation(() => ActivateTemplatePayload, {
    description:
      'Admin: puts a version into use, a newer or an older one; it takes the place of the active one.',
  })
  async activateTemplate(
    @Arg('input') { templateId }: ActivateTemplateInput,
    @Ctx() context: RequestContext,
  ) {
    return toPayload('template', await context.app.notifications.templates.activate(templateId));
  }

  @Authorized('admin')
  @Mutation(() => DeactivateTemplatePayload, { description: 'Admin: takes a version out of use.' })
  async deactivateTemplate(
    @Arg('input') { templateId }: DeactivateTemplateInput,
    @Ctx() context: RequestContext,
  ) {
    return toPayload('template', await context.app.notifications.templates.deactivate(templateId));
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 120, duration: 60)')
  @Mutation(() => SendTestNotificationPayload, {
    description:
      'Admin: sends exactly this version of a template, as any notification of its type is sent, but at once: quiet hours that would defer it leave it out.',
  })
  async sendTestNotification(
    @Arg('input') input: SendTestNotificationInput,
    @Ctx() context: RequestContext,
  ): Promise<SendTestNotificationPayload> {
    const { templates } = context.app.notifications;
    const result = await templates.sendTest(callerOf(context), withoutNulls(input));
    return result.ok ? { ...result.value, userErrors: [] } : { suppressed: [], userErrors: result.errors };
  }
}

@Resolver(() => Template)
export class TemplateResolver {
  @FieldResolver(() => [Template], {
    description:
      'The versions of its type, channel and language, this one included: the newest 100, newest first.',
  })
  versions(@Root() template: TemplateRecord, @Ctx() context: RequestContext) {
    return context.loaders.templateVersions.load(template);
  }
}

async function loadTemplate(templateId: string, context: RequestContext) {
  return mayProduce(callerOf(context)) ? context.app.notifications.findTemplate(templateId) : null;
}

/** Loads templates for `node`, by raw id. */
export const templateNodes = { Template: loadTemplate };

export const templateResolvers = [NotificationTemplatesResolver, TemplateResolver] as const;

const toDraft = (input: SaveTemplateInput) => ({
  ...withoutNulls(input),
  pushOptions: input.pushOptions ? withoutNulls(input.pushOptions) : undefined,
});
