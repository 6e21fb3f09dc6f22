import { buildSchema, type GraphQLDirective, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql';
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
  _declared,
  _source,
  _args,
  _context,
  info,
) => {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  throw new RateLimitExceeded(
    `Too many requests for ${coordinate(info)}: try again in ${seconds} s`,
    seconds,
  );
};

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
