import type { z } from 'zod';
import type { InlineProjection, JsonObject } from './types.js';

/**
 * Declares a domain's inline projections, each once: the arguments by the name under which `run_guard.sql` has the SQL
 * function. Callers are typed by the schemas; nothing is parsed, since Postgres reads the arguments.
 *
 * @returns the schemas, and `call`, which names one in an `AppendCommand`
 */
export const defineInlineProjections = <S extends Readonly<Record<string, z.ZodType<JsonObject>>>>(
  schemas: S,
) => ({
  schemas,
  call: <Name extends keyof S & string>(name: Name, args: z.infer<S[Name]>): InlineProjection => ({
    name,
    args,
  }),
});
