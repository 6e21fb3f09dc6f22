import { z } from 'zod';
import type { RowOf } from '../../../platform/postgres/postgres.js';
import { isStorable } from '../../../platform/text.js';
import { type Channel, channels } from '../types.js';
import type { sql as statements } from './find.sql.js';
import { pushOptions } from './push-options.js';
import { type TemplateSyntax, type TemplateText, templateSyntaxes, type VariableSchema } from './render.js';
import { isVariableValue, typeOfValue, type VariableValue, variableTypes } from './variables.js';

const MAX_VARIABLES = 200;
const MAX_DEFAULT = 10_000;

const variableRule = z
  .strictObject({
    type: z.enum(variableTypes).default('string'),
    required: z.boolean().default(false),
    default: z
      .union([
        z
          .string()
          .max(MAX_DEFAULT, `a default has at most ${MAX_DEFAULT} characters`)
          .refine(isStorable, 'a default is proper text'),
        z.number(),
        z.boolean(),
        z.custom<VariableValue & object>(
          isSmallDefault,
          `a list or an object as a default has at most ${MAX_DEFAULT} characters as JSON, and nothing nested`,
        ),
      ])
      .optional(),
  })
  .refine((rule) => rule.default === undefined || typeOfValue(rule.default) === rule.type, {
    path: ['default'],
    message: 'the default must be of the declared type',
  });

function isSmallDefault(value: unknown): value is VariableValue & object {
  return typeof value === 'object' && isVariableValue(value) && JSON.stringify(value).length <= MAX_DEFAULT;
}

/** What a template declares of its variables. */
export const variableSchema: z.ZodType<VariableSchema> = z
  .record(z.string().regex(/^\w{1,64}$/, 'a variable is named with 1 to 64 word characters'), variableRule)
  .refine(
    (rules) => Object.keys(rules).length <= MAX_VARIABLES,
    `a template has at most ${MAX_VARIABLES} variables`,
  );

type TemplateRow = RowOf<typeof statements.forward>;

/** One version of a type's text for a channel in a language. At most one of these is active. */
export interface Template
  extends TemplateText,
    Omit<TemplateRow, 'channel' | 'variables' | 'pushOptions' | 'syntax'> {
  readonly channel: Channel;
  readonly syntax: TemplateSyntax;
}

/** A row as the domain knows it. */
export const toTemplate = (row: TemplateRow): Template => ({
  ...row,
  channel: z.enum(channels).parse(row.channel),
  variables: variableSchema.parse(row.variables),
  pushOptions: pushOptions.parse(row.pushOptions ?? {}),
  syntax: z.enum(templateSyntaxes).parse(row.syntax),
});
