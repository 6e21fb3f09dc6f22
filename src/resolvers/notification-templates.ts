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
import type {
  TemplateFilter as Filter,
  Preview,
  TemplateDraft,
  Template as TemplateRecord,
} from '../domains/notifications/index.js';
import { callerOf, isAdmin } from '../platform/caller.js';
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
import { PagingArgs, toGlobalId } from '../schema/relay.js';
import { toPayload } from './payload.js';

@Resolver()
export class NotificationTemplatesResolver {
  @Authorized('admin')
  @Query(() => Template, { nullable: true })
  template(
    @Arg('templateId', () => ID) templateId: string,
    @Ctx() context: RequestContext,
  ): Promise<TemplateRecord | null> {
    return context.app.notifications.findTemplate(templateId);
  }

  @Authorized('admin')
  @Query(() => TemplateConnection, {
    nullable: true,
    description: 'Admin: templates by type, channel, language and version.',
  })
  templates(
    @Args(() => PagingArgs) args: PagingArgs,
    @Arg('filter', () => TemplateFilter, { nullable: true }) filter: TemplateFilter | null,
    @Ctx() context: RequestContext,
  ) {
    return context.app.notifications.templates.page(toFilter(filter ?? {}), readPaging(args));
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 600, duration: 60)')
  @Query(() => TemplatePreview, {
    nullable: true,
    description: 'Admin: renders without sending; the same code path as a real send.',
  })
  async previewTemplate(@Arg('input') input: PreviewTemplateInput, @Ctx() context: RequestContext) {
    return toPayload('content', await context.app.notifications.templates.preview(toPreview(input)));
  }

  @Authorized('admin')
  @Mutation(() => SaveTemplatePayload)
  async saveTemplate(@Arg('input') input: SaveTemplateInput, @Ctx() context: RequestContext) {
    const { notifications } = context.app;
    return toPayload('template', await notifications.saveTemplate(callerOf(context), toDraft(input)));
  }

  @Authorized('admin')
  @Mutation(() => ActivateTemplatePayload, {
    description:
      'Admin: publishes a version, or rolls back to it; it takes the place of the one that was active.',
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
    description: 'Admin: sends this version of a template, as any notification of its type is sent.',
  })
  async sendTestNotification(
    @Arg('input') input: SendTestNotificationInput,
    @Ctx() context: RequestContext,
  ): Promise<SendTestNotificationPayload> {
    const trial = { ...input, variables: input.variables ?? undefined };
    const result = await context.app.notifications.templates.sendTest(callerOf(context), trial);
    return result.ok ? { ...result.value, userErrors: [] } : { suppressed: [], userErrors: result.errors };
  }
}

@Resolver(() => Template)
export class TemplateResolver {
  @FieldResolver(() => ID)
  id(@Root() template: TemplateRecord): string {
    return toGlobalId('Template', template.templateId);
  }

  @FieldResolver(() => [Template], {
    description:
      'The versions of its type, channel and language, this one among them: the newest 100, newest first.',
  })
  versions(
    @Root() template: TemplateRecord,
    @Ctx() context: RequestContext,
  ): Promise<readonly TemplateRecord[]> {
    return context.loaders.templateVersions.load(template);
  }
}

async function loadTemplate(templateId: string, context: RequestContext): Promise<TemplateRecord | null> {
  return isAdmin(callerOf(context)) ? context.app.notifications.findTemplate(templateId) : null;
}

/** Loads templates for `node`, by raw id. */
export const templateNodes = { Template: loadTemplate };

export const templateResolvers = [NotificationTemplatesResolver, TemplateResolver] as const;

/** In optional inputs null means absent. */
const toFilter = ({ notificationType, channel, language, activeOnly }: TemplateFilter): Filter => ({
  notificationType: notificationType ?? undefined,
  channel: channel ?? undefined,
  language: language ?? undefined,
  activeOnly: activeOnly ?? undefined,
});

const toPreview = ({ templateId, draft, language, variables }: PreviewTemplateInput): Preview => ({
  templateId: templateId ?? undefined,
  draft: draft ? toDraft(draft) : undefined,
  language: language ?? undefined,
  variables,
});

const toDraft = (input: SaveTemplateInput): TemplateDraft => ({
  ...input,
  templateId: input.templateId ?? undefined,
  subject: input.subject ?? undefined,
  title: input.title ?? undefined,
  htmlBody: input.htmlBody ?? undefined,
  imageUrl: input.imageUrl ?? undefined,
  actionUrl: input.actionUrl ?? undefined,
  variables: input.variables ?? undefined,
});
