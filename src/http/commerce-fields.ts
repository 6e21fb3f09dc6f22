import { z } from 'zod';
import { readDecimal } from '../platform/decimal.js';
import { DEFAULT_PAGE, MAX_PAGE } from '../platform/paging.js';

/** Reads amounts as the GraphQL scalar does: a JSON number of up to 15 digits, or a string. */
export const decimal = z.union([z.number(), z.string()]).transform((value, context) => {
  try {
    return readDecimal(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});

/** In every command's body. */
export const commandId = z
  .string()
  .nullish()
  .describe('The same id with the same body within two days answers the first result and changes nothing.');

/** The command's name, as PlaceOrder has it. Where the path says it already it may be left out, and no other is taken. */
export const commandType = <Name extends string>(name: Name) => z.literal(name).optional();

const once = { error: 'A parameter is given once' };

export const afterVersion = z
  .string(once)
  .regex(/^\d{1,9}$/, 'after_version must be a whole number')
  .transform(Number)
  .optional()
  .describe(
    'Waits until the read model has this version, 5 s at most: the `version` that a command answered.',
  );

/** The query string of one thing. A parameter that it does not know is refused: `asOf` is not `as_of`. */
export const modelQuery = z.strictObject({ after_version: afterVersion });

/** The query string of an account: as it is, or as it was. */
export const summaryQuery = z
  .strictObject({
    after_version: afterVersion,
    as_of: z.iso
      .datetime({ offset: true, error: 'as_of must be an RFC 3339 time; in a URL its + is written %2B' })
      .transform((text) => new Date(text))
      .optional()
      .describe('The state at this time, RFC 3339. Not together with `after_version`.'),
  })
  .refine(({ after_version, as_of }) => after_version === undefined || as_of === undefined, {
    error: 'Use after_version or as_of, not both',
    path: ['as_of'],
  });

/** The query string of a page. */
export const pageQuery = z.strictObject({
  first: z
    .string(once)
    .regex(/^\d{1,9}$/, 'first must be a whole number')
    .transform(Number)
    .refine((first) => first >= 1 && first <= MAX_PAGE, `first must be 1 to ${MAX_PAGE}`)
    .optional()
    .describe(`How many items: 1 to ${MAX_PAGE}. Absent: ${DEFAULT_PAGE}.`),
  after: z.string(once).optional().describe('The `end_cursor` of the page before.'),
});
