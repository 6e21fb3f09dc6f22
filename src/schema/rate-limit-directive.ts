import {
  buildSchema,
  type GraphQLDirective,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getDirectiveValues,
} from 'graphql';
import {
  type RateLimitArgs,
  type RateLimitKeyGenerator,
  type RateLimitOnLimit,
  rateLimitDirective,
} from 'graphql-rate-limit-directive';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { FieldLimiter } from '../domains/limits/index.js';
import { ownerOf } from '../domains/limits/owners.js';
import { rateLimitCaller } from '../edge/gate/rate-limit-check.js';
import type { Viewer } from '../platform/auth/auth.js';
import { RateLimitExceeded } from '../platform/errors.js';
import { networkOf } from './network.js';

const NAME = 'rateLimit';

/** Who asks for a field, as far as its limit counts callers. */
export interface FieldCaller {
  readonly viewer: Viewer | null;
  readonly ip: string;
}

/**
 * `@rateLimit(limit:, duration:)`: how often one caller may ask for a field in each window of `duration` seconds. Each
 * field counts by itself; every mention in an operation counts.
 */
export const rateLimitDefinition: GraphQLDirective = readDefinition();

/**
 * A schema whose fields with `@rateLimit` ask `fields` first; all other fields are as they were.
 *
 * A field may reckon its own points by `@Extensions(pointsOf(…))`. A refusal is RateLimitExceeded, as the field's error.
 */
export function limitFields(schema: GraphQLSchema, fields: FieldLimiter): GraphQLSchema {
  const { rateLimitDirectiveTransformer: limited } = rateLimitDirective<FieldCaller>({
    name: NAME,
    keyGenerator: keyOf,
    limiterClass: limiterOver(fields),
    onLimit: refuse,
  });
  return limited(schema);
}

/** What a mention of the field charges: 0 asks nobody. For `@Extensions`. */
export const pointsOf = <Args>(points: (args: Args) => number) => ({
  [NAME]: { pointsCalculator: (_declared: RateLimitArgs, _source: unknown, args: Args) => points(args) },
});

/**
 * Charges a caller for a field whose command they use by another way than GraphQL: one counter for both.
 *
 * @param field like `Mutation.sendBatch`
 * @throws RateLimitExceeded
 */
export type FieldCheck = (field: `${'Query' | 'Mutation'}.${string}`, caller: FieldCaller) => Promise<void>;

/** @param schema says how often each field may be asked for */
export const createFieldCheck =
  (schema: GraphQLSchema, fields: FieldLimiter): FieldCheck =>
  async (field, { viewer, ip }) => {
    const [typeName, fieldName] = field.split('.') as ['Query' | 'Mutation', string];
    const type = typeName === 'Query' ? schema.getQueryType() : schema.getMutationType();
    const { astNode } = type?.getFields()[fieldName] ?? {};
    const declared = astNode && getDirectiveValues(rateLimitDefinition, astNode);
    if (!declared) throw new Error(`${field} declares no limit`);
    const { limit, duration } = declared as { readonly limit: number; readonly duration: number };
    const waitMs = await fields.consume({
      ...{ field, owner: ownerOf(rateLimitCaller(viewer, networkOf(ip))) },
      ...{ limit, windowSeconds: duration, charge: 1 },
    });
    if (waitMs !== null) throw tooOften(field, waitMs, { limit, duration });
  };

function readDefinition(): GraphQLDirective {
  const { rateLimitDirectiveTypeDefs } = rateLimitDirective({ name: NAME });
  const definition = buildSchema(rateLimitDirectiveTypeDefs).getDirective(NAME);
  if (!definition) throw new Error('the directive is not in its own definition');
  return definition;
}

const coordinate = (info: GraphQLResolveInfo): string => `${info.parentType.name}.${info.fieldName}`;

/** Names in GraphQL have no spaces: the first one parts the field from its caller. */
const keyOf: RateLimitKeyGenerator<FieldCaller> = (_declared, _source, _args, { viewer, ip }, info) =>
  `${coordinate(info)} ${ownerOf(rateLimitCaller(viewer, networkOf(ip)))}`;

const refuse: RateLimitOnLimit<FieldCaller> = (
  { msBeforeNext },
  declared,
  _source,
  _args,
  _context,
  info,
) => {
  throw tooOften(coordinate(info), msBeforeNext, declared);
};

function tooOften(
  field: string,
  waitMs: number,
  { limit, duration: windowSeconds }: Pick<RateLimitArgs, 'limit' | 'duration'>,
): RateLimitExceeded {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new RateLimitExceeded(`Too many requests for ${field}: try again in ${seconds} s`, seconds, {
    limit,
    windowSeconds,
  });
}

/** The library's abstract class exists as a type only, so this extends its plainest limiter and counts elsewhere. */
const limiterOver = (fields: FieldLimiter): typeof RateLimiterAbstract =>
  class extends RateLimiterMemory {
    override async consume(key: string, charge = 1): Promise<RateLimiterRes> {
      const space = key.indexOf(' ');
      const waitMs = await fields.consume({
        field: key.slice(0, space),
        owner: key.slice(space + 1),
        limit: this.points,
        windowSeconds: this.duration,
        charge,
      });
      const outcome = new RateLimiterRes(0, waitMs ?? 0);
      // The directive takes an Error for a broken limiter, and this for a refusal.
      return waitMs === null ? outcome : Promise.reject(outcome);
    }
  };
