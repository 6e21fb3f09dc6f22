import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import type { Template as TemplateRecord } from '../domains/notifications/index.js';
import { Channel } from './notification-enums.js';
import { SendNotificationPayload } from './notification-payloads.js';
import { RenderedContent } from './notifications.js';
import { Node, PageInfo } from './relay.js';
import { DateTime, JSONObject } from './scalars.js';
import { UserError } from './user-error.js';

/** `id` and `versions` stand in the resolver. */
@ObjectType({ implements: Node, simpleResolvers: true })
export class Template extends Node implements Omit<TemplateRecord, 'id'> {
  @Field(() => ID)
  templateId: string;
  @Field()
  notificationType: string;
  @Field(() => Channel)
  channel: words.Channel;
  @Field()
  language: string;
  @Field(() => Int)
  version: number;
  @Field()
  isActive: boolean;
  @Field(() => String, { nullable: true })
  subject: string | null;
  @Field(() => String, { nullable: true })
  title: string | null;
  @Field()
  body: string;
  @Field(() => String, { nullable: true })
  htmlBody: string | null;
  @Field(() => String, { nullable: true })
  imageUrl: string | null;
  @Field(() => String, { nullable: true })
  actionUrl: string | null;
  @Field(() => JSONObject)
  variables: TemplateRecord['variables'];
  @Field(() => String, { nullable: true })
  createdBy: string | null;
  @Field(() => DateTime)
  createdAt: Date;
  @Field(() => DateTime)
  updatedAt: Date;
}

@ObjectType({ simpleResolvers: true })
export class TemplateEdge {
  @Field()
  cursor: string;
  @Field(() => Template)
  node: TemplateRecord;
}

@ObjectType({ simpleResolvers: true })
export class TemplateConnection {
  @Field(() => [TemplateEdge])
  edges: readonly TemplateEdge[];
  @Field(() => PageInfo)
  pageInfo: PageInfo;
}

@InputType()
export class TemplateFilter {
  @Field(() => String, { nullable: true })
  notificationType?: string | null;
  @Field(() => Channel, { nullable: true })
  channel?: words.Channel | null;
  @Field(() => String, { nullable: true })
  language?: string | null;
  @Field(() => Boolean, { nullable: true })
  activeOnly?: boolean | null;
}

@InputType()
export class SaveTemplateInput {
  @Field(() => ID, {
    nullable: true,
    description: 'Names one version; a taken id is TEMPLATE_ID_TAKEN; absent: made up.',
  })
  templateId?: string | null;
  @Field()
  notificationType: string;
  @Field(() => Channel)
  channel: words.Channel;
  @Field({ defaultValue: 'en' })
  language: string;
  @Field(() => String, { nullable: true, description: 'Email only.' })
  subject?: string | null;
  @Field(() => String, { nullable: true, description: 'Push and in-app only.' })
  title?: string | null;
  @Field()
  body: string;
  @Field(() => String, { nullable: true, description: 'Email only.' })
  htmlBody?: string | null;
  @Field(() => String, { nullable: true, description: 'Push and in-app only.' })
  imageUrl?: string | null;
  @Field(() => String, { nullable: true })
  actionUrl?: string | null;
  @Field(() => JSONObject, { nullable: true, description: 'name → { type, required, default }' })
  variables?: Record<string, unknown> | null;
  @Field({ defaultValue: true, description: 'At most one version of a (type, channel, language) is active.' })
  activate: boolean;
}

@InputType()
export class ActivateTemplateInput {
  @Field(() => ID)
  templateId: string;
}

@InputType()
export class DeactivateTemplateInput {
  @Field(() => ID)
  templateId: string;
}

@InputType({ description: 'A stored template or a draft, one of the two.' })
export class PreviewTemplateInput {
  @Field(() => ID, { nullable: true })
  templateId?: string | null;
  @Field(() => SaveTemplateInput, { nullable: true })
  draft?: SaveTemplateInput | null;
  @Field(() => String, {
    nullable: true,
    description:
      "The reader's: shows what he would get if the template were active. Absent: the template's own.",
  })
  language?: string | null;
  @Field(() => JSONObject)
  variables: Record<string, unknown>;
}

@InputType()
export class SendTestNotificationInput {
  @Field(() => ID, { description: 'This very version is sent, active or not.' })
  templateId: string;
  @Field(() => ID)
  userId: string;
  @Field(() => Channel, { description: "The template's own." })
  channel: words.Channel;
  @Field(() => JSONObject, { nullable: true })
  variables?: Record<string, unknown> | null;
}

@ObjectType({ simpleResolvers: true })
export class SaveTemplatePayload {
  @Field(() => Template, { nullable: true })
  template: TemplateRecord | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@ObjectType({ simpleResolvers: true })
export class ActivateTemplatePayload {
  @Field(() => Template, { nullable: true })
  template: TemplateRecord | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@ObjectType({ simpleResolvers: true })
export class DeactivateTemplatePayload {
  @Field(() => Template, { nullable: true })
  template: TemplateRecord | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@ObjectType({ simpleResolvers: true })
export class TemplatePreview {
  @Field(() => RenderedContent, { nullable: true })
  content: RenderedContent | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@ObjectType({ simpleResolvers: true })
export class SendTestNotificationPayload extends SendNotificationPayload {}
