import { z } from 'zod';
import type { NotificationTemplate } from '../../../platform/generated/prisma/client.js';
import { isStorable } from '../text.js';
import { type Channel, channels } from '../types.js';
import { pushOptions } from './push-options.js';
import type { TemplateText, VariableSchema } from './render.js';

const MAX_VARIABLES = 200;
const MAX_DEFAULT = 10_000;

const variableRule = z
  .strictObject({
    type: z.enum(['string', 'number']).default('string'),
    required: z.boolean().default(false),
    default: z
      .union([
        z
          .string()
          .max(MAX_DEFAULT, `a default has at most ${MAX_DEFAULT} characters`)
          .refine(isStorable, 'a default is proper text'),
        z.number(),
      ])
      .optional(),
  })
  .refine((rule) => rule.default === undefined || typeof rule.default === rule.type, {
    path: ['default'],
    message: 'the default must be of the declared type',
  });

/** What a template declares of its variables. */
export const variableSchema: z.ZodType<VariableSchema> = z
  .record(z.string().regex(/^\w{1,64}$/, 'a variable is named with 1 to 64 word characters'), variableRule)
  .refine(
    (rules) => Object.keys(rules).length <= MAX_VARIABLES,
    `a template has at most ${MAX_VARIABLES} variables`,
  );

/** One version of a type's text for a channel in a language. */
export interface Template extends TemplateText {
  readonly templateId: string;
  readonly notificationType: string;
  readonly channel: Channel;
  readonly language: string;
  readonly version: number;
  /** At most one version of a type, channel and language is. */
  readonly isActive: boolean;
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A row as the domain knows it. */
export const toTemplate = (
  row: Omit<NotificationTemplate, 'variables' | 'pushOptions'> & {
    readonly variables: unknown;
    readonly pushOptions: unknown;
  },
): Template => ({
  ...row,
  channel: z.enum(channels).parse(row.channel),
  variables: variableSchema.parse(row.variables),
  pushOptions: pushOptions.parse(row.pushOptions ?? {}),
});
