import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import type { Template as TemplateRecord } from '../domains/notifications/index.js';
import { connectionOf } from './connections.js';
import { Channel, TemplateSyntax } from './notification-enums.js';
import { SendNotificationPayload } from './notification-payloads.js';
import { RenderedContent } from './notifications.js';
import { Payload, payloadOf } from './payload.js';
import { Node } from './relay.js';
import { DateTime, JSONObject } from './scalars.js';

@ObjectType({ simpleResolvers: true })
@InputType()
abstract class PushFields {
  @Field(() => String, {
    nullable: true,
    description:
      "A second line below the title on Apple's devices; may have placeholders. Null where it has none.",
  })
  subtitle?: string | null;
  @Field(() => String, {
    nullable: true,
    description:
      "The number on the app's icon on Apple's devices: a whole number or one placeholder, like `{{unread}}`. Null: it stays as it is.",
  })
  badge?: string | null;
  @Field(() => String, {
    nullable: true,
    description: "The colour of the notification's icon on Android, like `#1a2b3c`. Null: the app's own.",
  })
  color?: string | null;
  @Field(() => Boolean, {
    nullable: true,
    description: "Whether it wakes the app on Apple's devices (`content-available`). Null: it does not.",
  })
  contentAvailable?: boolean | null;
  @Field(() => Boolean, {
    nullable: true,
    description:
      "Whether it goes to Apple's devices as a push about a call: at once, to the app's `.voip` topic, with up to 5 KB. Null: it does not.",
  })
  voip?: boolean | null;
}

@ObjectType({ simpleResolvers: true, description: 'What only a push template has.' })
export class PushOptions extends PushFields {}

@InputType({ description: 'What only a push template has. What is absent or null is left out.' })
export class PushOptionsInput extends PushFields {}

/** `versions` stands in the resolver. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'One version of the text of a kind of notification, on one channel, in one language.',
})
export class Template extends Node implements Omit<TemplateRecord, 'id'> {
  @Field(() => ID)
  templateId: string;
  @Field({ description: 'The kind of notification.' })
  notificationType: string;
  @Field(() => Channel, { description: 'The channel.' })
  channel: words.Channel;
  @Field({ description: 'The language code.' })
  language: string;
  @Field(() => Int, {
    description: '1, 2, 3 and so on among the versions of its type, channel and language.',
  })
  version: number;
  @Field({ description: 'Whether this version is used. At most one of a type, channel and language is.' })
  isActive: boolean;
  @Field(() => String, { nullable: true, description: 'The subject of a mail. Null on other channels.' })
  subject: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The title, for push and in-app. Null where it has none.',
  })
  title: string | null;
  @Field({ description: 'The text, with placeholders like `{{name}}`.' })
  body: string;
  @Field(() => String, { nullable: true, description: 'The HTML of a mail. Null where it has none.' })
  htmlBody: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The picture, which may have placeholders, so it is not a URL yet. Null where it has none.',
  })
  imageUrl: string | null;
  @Field(() => String, {
    nullable: true,
    description:
      'Where a tap leads to, which may have placeholders, so it is not a URL yet. Null where it leads nowhere.',
  })
  actionUrl: string | null;
  @Field(() => JSONObject, {
    description: 'The declared variables: names with `type`, `required` and `default`.',
  })
  variables: TemplateRecord['variables'];
  @Field(() => PushOptions, {
    nullable: true,
    description: 'What only pushes have. All of it is null on other channels.',
  })
  pushOptions: TemplateRecord['pushOptions'];
  @Field(() => TemplateSyntax, { description: 'What its texts are written in.' })
  syntax: words.TemplateSyntax;
  @Field(() => String, {
    nullable: true,
    description: 'The id of the user who saved it. Null where it came with the product.',
  })
  createdBy: string | null;
  @Field(() => DateTime, { description: 'When it was saved.' })
  createdAt: Date;
  @Field(() => DateTime, { description: 'When it was saved, activated or deactivated last.' })
  updatedAt: Date;
}

export const TemplateConnection = connectionOf(
  'Template',
  Template,
  'A page of templates by type, channel, language and version. There is no `totalCount`.',
);

@InputType({ description: 'Which templates. What is absent or null narrows nothing.' })
export class TemplateFilter {
  @Field(() => String, { nullable: true, description: 'Only this kind of notification.' })
  notificationType?: string | null;
  @Field(() => Channel, { nullable: true, description: 'Only this channel.' })
  channel?: words.Channel | null;
  @Field(() => String, { nullable: true, description: 'Only this language code.' })
  language?: string | null;
  @Field(() => Boolean, { nullable: true, description: 'True: only versions that are active.' })
  activeOnly?: boolean | null;
}

@InputType()
export class SaveTemplateInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'The raw id of the new version; a taken one is refused with TEMPLATE_ID_TAKEN. Absent: the server makes one.',
  })
  templateId?: string | null;
  @Field({ description: 'The kind of notification, 1 to 64 characters.' })
  notificationType: string;
  @Field(() => Channel, { description: 'The channel.' })
  channel: words.Channel;
  @Field({ defaultValue: 'en', description: 'The language code.' })
  language: string;
  @Field(() => String, { nullable: true, description: 'The subject of a mail. Only for EMAIL.' })
  subject?: string | null;
  @Field(() => String, { nullable: true, description: 'The title. Only for PUSH and IN_APP.' })
  title?: string | null;
  @Field({ description: 'The text, with placeholders like `{{name}}`.' })
  body: string;
  @Field(() => String, { nullable: true, description: 'The HTML of a mail. Only for EMAIL.' })
  htmlBody?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The picture; may have placeholders. Only for PUSH and IN_APP.',
  })
  imageUrl?: string | null;
  @Field(() => String, { nullable: true, description: 'Where a tap leads to; may have placeholders.' })
  actionUrl?: string | null;
  @Field(() => JSONObject, {
    nullable: true,
    description:
      'The variables by name: `{ type, required, default }`. `type` is `string` or `number`, for LIQUID also `boolean`, `list` or `object`. Absent: none are declared.',
  })
  variables?: Record<string, unknown> | null;
  @Field(() => PushOptionsInput, {
    nullable: true,
    description: 'What only pushes have. Only for PUSH.',
  })
  pushOptions?: PushOptionsInput | null;
  @Field(() => TemplateSyntax, {
    nullable: true,
    description:
      'What its texts are written in. Absent: PLAIN. LIQUID is refused with TEMPLATE_SYNTAX or TAG_MISPLACED where it cannot be read; `message` has the line and the column.',
  })
  syntax?: words.TemplateSyntax | null;
  @Field({ defaultValue: true, description: 'Whether it takes the place of the active version at once.' })
  activate: boolean;
}

@InputType()
export class ActivateTemplateInput {
  @Field(() => ID)
  templateId: string;
}

@InputType()
export class DeactivateTemplateInput extends ActivateTemplateInput {}

@InputType({ description: 'What `previewTemplate` takes: a stored template or a draft, one of the two.' })
export class PreviewTemplateInput {
  @Field(() => ID, { nullable: true })
  templateId?: string | null;
  @Field(() => SaveTemplateInput, { nullable: true, description: 'A template that is not stored.' })
  draft?: SaveTemplateInput | null;
  @Field(() => String, {
    nullable: true,
    description:
      "The reader's language code: shows what they would get if the template were active. Absent: the template's own.",
  })
  language?: string | null;
  @Field(() => JSONObject, { description: "The values of the template's variables, by name." })
  variables: Record<string, unknown>;
}

@InputType()
export class SendTestNotificationInput {
  @Field(() => ID, {
    description: 'The template, by its raw id or its global id. Exactly this version is sent, active or not.',
  })
  templateId: string;
  @Field(() => ID)
  userId: string;
  @Field(() => Channel, { description: 'The channel of the template.' })
  channel: words.Channel;
  @Field(() => JSONObject, {
    nullable: true,
    description: "The values of the template's variables, by name. Absent: none.",
  })
  variables?: Record<string, unknown> | null;
}

export const SaveTemplatePayload = payloadOf('SaveTemplate', { template: Template });

export const ActivateTemplatePayload = payloadOf('ActivateTemplate', { template: Template });

export const DeactivateTemplatePayload = payloadOf('DeactivateTemplate', { template: Template });

@ObjectType({ simpleResolvers: true, description: 'What `previewTemplate` answers.' })
export class TemplatePreview extends Payload {
  @Field(() => RenderedContent, {
    nullable: true,
    description: 'The message as it would be sent. Null where it was refused.',
  })
  content: RenderedContent | null;
}

@ObjectType({ simpleResolvers: true })
export class SendTestNotificationPayload extends SendNotificationPayload {}
