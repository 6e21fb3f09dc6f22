import { z } from 'zod';
import type { NotificationTemplate } from '../../../platform/generated/prisma/client.js';
import { type Channel, channels } from '../types.js';
import type { TemplateText, VariableSchema } from './render.js';

/** What a template declares of its variables. */
export const variableSchema: z.ZodType<VariableSchema> = z.record(
  z.string().regex(/^\w{1,64}$/, 'a variable is named with word characters'),
  z
    .strictObject({
      type: z.enum(['string', 'number']).default('string'),
      required: z.boolean().default(false),
      default: z.union([z.string(), z.number()]).optional(),
    })
    .refine((rule) => rule.default === undefined || typeof rule.default === rule.type, {
      path: ['default'],
      message: 'the default must be of the declared type',
    }),
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
export const toTemplate = (row: NotificationTemplate): Template => ({
  ...row,
  channel: z.enum(channels).parse(row.channel),
  variables: variableSchema.parse(row.variables),
});
