import { Field, Float, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type {
  Decision,
  NearLimit as NearLimitRecord,
  Preview,
  Tier,
  TierReading,
} from '../domains/limits/index.js';
import { ALGORITHMS } from '../domains/limits/types.js';
import { DateTime } from './scalars.js';

/** GraphQL's largest Int. */
const MAX_INT = 2_147_483_647;

const RateLimitOutcome = { ALLOW: 'ALLOW', DEGRADE: 'DEGRADE', REJECT: 'REJECT' } as const;
registerEnumType(RateLimitOutcome, {
  name: 'RateLimitOutcome',
  description: 'DEGRADE: above the soft limit, so with reduced function.',
});
const RateLimitAlgorithm = Object.fromEntries(ALGORITHMS.map((name) => [name.toUpperCase(), name]));
registerEnumType(RateLimitAlgorithm, { name: 'RateLimitAlgorithm' });
const RateLimitAction = { REJECT: 'reject', THROTTLE: 'throttle' } as const;
registerEnumType(RateLimitAction, {
  name: 'RateLimitAction',
  description: 'What becomes of a request above the limit. THROTTLE: it waits for its turn, for a while.',
});
const RateLimitFail = { OPEN: 'open', CLOSED: 'closed' } as const;
registerEnumType(RateLimitFail, {
  name: 'RateLimitFail',
  description: 'What becomes of a request while counters cannot be reached. OPEN: it is admitted.',
});
const RateLimitDecidedBy = {
  STORE: 'store',
  MEMORY: 'memory',
  UNREACHABLE: 'unreachable',
  NONE: 'none',
} as const;
registerEnumType(RateLimitDecidedBy, {
  name: 'RateLimitDecidedBy',
  description:
    'STORE: counters answered. MEMORY: known without asking. UNREACHABLE: nobody counts, each rule decides by its `fail`. NONE: nothing is counted here.',
});

@ObjectType({ simpleResolvers: true })
export class RateLimitTier {
  @Field({ description: "The rule's path." })
  rule: string;
  @Field()
  name: string;
  @Field(() => Int)
  windowSeconds: number;
  @Field(() => Int)
  limit: number;
  @Field(() => Int, { description: 'Units in use.' })
  used: number;
  @Field(() => Int)
  remaining: number;
  @Field(() => DateTime)
  resetAt: Date;
  @Field(() => RateLimitAlgorithm)
  algorithm: Tier['algorithm'];
  @Field(() => RateLimitAction)
  action: Tier['action'];
  @Field(() => RateLimitFail)
  fail: Tier['fail'];
  @Field({ description: 'Counts, and never refuses.' })
  shadow: boolean;
  @Field(() => Int, { nullable: true, description: 'Above this much in use the outcome is DEGRADE.' })
  softLimit: number | null;
}

const toTier = ({ tier, used, remaining, resetAt }: TierReading): RateLimitTier => ({
  rule: tier.rule,
  name: tier.name,
  windowSeconds: tier.windowSeconds,
  limit: tier.limit,
  used,
  remaining,
  resetAt: new Date(resetAt),
  algorithm: tier.algorithm,
  action: tier.action,
  fail: tier.fail,
  shadow: tier.shadow,
  softLimit: tier.softLimit,
});

/** The tiers that limit anything: an unlimited one has no number to show. */
const limitedOf = ({ readings }: Decision): TierReading[] =>
  readings.filter(({ tier }) => Number.isFinite(tier.limit));
const leastRemaining = (decision: Decision): TierReading | undefined =>
  limitedOf(decision).toSorted((a, b) => a.remaining - b.remaining)[0];

@ObjectType({ simpleResolvers: true })
export class RateLimitStatus {
  @Field(() => Int, { description: "The tightest tier's." })
  limit: number;
  @Field(() => Int)
  remaining: number;
  @Field(() => DateTime)
  resetAt: Date;
  @Field(() => Int, { description: 'Cost of this query.' })
  cost: number;
  @Field(() => [RateLimitTier])
  tiers: readonly RateLimitTier[];
}

/** How the caller stands after this request; null where no limited tier holds. */
export function toStatus(decision: Decision | null, cost: number): RateLimitStatus | null {
  // Costs and requests are different units, so the budget tells only where nothing else does.
  const tightest = decision?.decisive ?? decision?.budget;
  if (!decision || !tightest || !Number.isFinite(tightest.tier.limit)) return null;
  const { limit, remaining, resetAt } = toTier(tightest);
  return { limit, remaining, resetAt, cost, tiers: limitedOf(decision).map(toTier) };
}

@ObjectType({ simpleResolvers: true })
export class RateLimitDecision {
  @Field(() => RateLimitOutcome)
  outcome: Decision['outcome'];
  @Field()
  allowed: boolean;
  @Field(() => RateLimitDecidedBy)
  decidedBy: Decision['decidedBy'];
  @Field(() => Int, { description: `${MAX_INT} where nothing is counted.` })
  remaining: number;
  @Field(() => DateTime, { description: 'Now, where nothing is counted.' })
  resetAt: Date;
  @Field(() => Int, {
    nullable: true,
    description:
      'Seconds until it may be tried again. Null: now, or never, as more is asked than is ever there.',
  })
  retryAfter: number | null;
  @Field(() => String, { nullable: true, description: "The violated rule's path." })
  violated: string | null;
  @Field(() => [RateLimitTier])
  tiers: readonly RateLimitTier[];
  @Field(() => [String], {
    description:
      'Paths of unlimited rules that fail closed: they count nothing, and refuse while nobody can.',
  })
  guards: readonly string[];
}

/** A decision explained; null where no rule limits or guards, not even a watching one. */
export function toDecision(decision: Preview): RateLimitDecision | null {
  const { outcome, decidedBy, retryAfterMs, impossible, guards } = decision;
  const decisive = decision.decisive ?? decision.budget ?? leastRemaining(decision);
  if (!decisive && guards.length === 0) return null;
  const allowed = outcome !== 'REJECT';
  return {
    outcome,
    allowed,
    decidedBy,
    remaining: decisive?.remaining ?? MAX_INT,
    resetAt: new Date(decisive?.resetAt ?? Date.now()),
    retryAfter: retryAfterMs === null || impossible ? null : Math.ceil(retryAfterMs / 1000),
    violated: allowed ? null : (decisive?.tier.rule ?? null),
    tiers: limitedOf(decision).map(toTier),
    guards,
  };
}

@ObjectType({ simpleResolvers: true, description: 'A caller who uses most of what a tier allows.' })
export class NearLimit {
  @Field({ description: '`u:` and a user id, or `n:` and a network.' })
  caller: string;
  @Field({ description: "The rule's path." })
  rule: string;
  @Field(() => Float, { description: '0 to 1.' })
  utilisation: number;
  @Field(() => DateTime)
  seenAt: Date;
}

export const toNearLimit = ({ owner, ...near }: NearLimitRecord): NearLimit => ({ ...near, caller: owner });

@InputType()
export class RateLimitDescriptorInput {
  @Field({
    description:
      'user_id, plan, remote_address, api_key, endpoint (as often as you like), query_cost or global.',
  })
  key: string;
  @Field(() => String, {
    nullable: true,
    description:
      'Of every key but `global`. An endpoint is `GET /api/orders/*`, `Mutation.placeOrder` or `login`.',
  })
  value?: string | null;
}
