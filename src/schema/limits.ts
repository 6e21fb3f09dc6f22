import { Field, Float, InputType, Int, ObjectType } from 'type-graphql';
import type { NearLimit as NearLimitRecord, Preview, Rehearsal } from '../domains/limits/index.js';
import type { RateLimitDecision as Decision, Tier, TierReading } from '../platform/gate.js';
import { enumOf, lowerCaseEnumOf } from './enums.js';
import { DateTime } from './scalars.js';

/** GraphQL's largest Int. */
const MAX_INT = 2_147_483_647;

const RateLimitOutcome = enumOf('RateLimitOutcome', 'What was decided about a request.', {
  ALLOW: 'It is admitted.',
  DEGRADE: 'It is admitted above a soft limit: the answer may be a cheaper one.',
  REJECT: 'It is refused.',
});

const RateLimitAlgorithm = lowerCaseEnumOf<Tier['algorithm']>('RateLimitAlgorithm', 'How a tier counts.', {
  FIXED_WINDOW: 'Counts in windows that begin at fixed times.',
  LEAKY_BUCKET: 'Counts what has not drained yet; it drains at a steady rate.',
  SLIDING_WINDOW_COUNTER: 'Estimates the last window from the counts of two fixed ones.',
  SLIDING_WINDOW_LOG: 'Keeps the time of each request of the last window.',
  TOKEN_BUCKET: 'Takes tokens from a bucket that is filled at a steady rate.',
});

const RateLimitAction = lowerCaseEnumOf<Tier['action']>(
  'RateLimitAction',
  'What happens to a request above the limit.',
  {
    REJECT: 'It is refused at once.',
    THROTTLE: 'It waits for its turn, and is refused where the wait would be too long.',
  },
);

const RateLimitFail = lowerCaseEnumOf<Tier['fail']>(
  'RateLimitFail',
  'What happens to a request while counters cannot be reached.',
  {
    OPEN: 'It is admitted.',
    CLOSED: 'It is refused.',
  },
);

const RateLimitDecidedBy = lowerCaseEnumOf<Decision['decidedBy']>(
  'RateLimitDecidedBy',
  'What a decision stands on.',
  {
    STORE: 'The counters in Redis.',
    MEMORY:
      'This process refused without asking Redis: it knew a refusal, its queue was full, or the charge is above the limit.',
    UNREACHABLE: "The counters could not be reached: each rule's `fail` decided.",
    NONE: 'No rule counts such a request.',
  },
);

@ObjectType({ simpleResolvers: true, description: 'One limit that applies to a request.' })
export class RateLimitTier {
  @Field({ description: 'The path of the rule in the document.' })
  rule: string;
  @Field({ description: 'The name of the limit.' })
  name: string;
  @Field(() => Int, { description: 'The length of its window in seconds.' })
  windowSeconds: number;
  @Field(() => Int, { description: 'How many units a window has.' })
  limit: number;
  @Field(() => Int, { description: 'How many units are in use.' })
  used: number;
  @Field(() => Int, { description: 'How many units are left.' })
  remaining: number;
  @Field(() => DateTime, { description: 'When all units are there again, if nothing more is used.' })
  resetAt: Date;
  @Field(() => RateLimitAlgorithm, { description: 'How it counts.' })
  algorithm: Tier['algorithm'];
  @Field(() => RateLimitAction, { description: 'What happens above the limit.' })
  action: Tier['action'];
  @Field(() => RateLimitFail, { description: 'What happens while its counter cannot be reached.' })
  fail: Tier['fail'];
  @Field({ description: 'True: it counts and never refuses.' })
  shadow: boolean;
  @Field(() => Int, {
    nullable: true,
    description: 'Above this many units in use the outcome is DEGRADE. Null: there is no soft limit.',
  })
  softLimit: number | null;
}

const toTier = ({ tier, ...reading }: TierReading): RateLimitTier => ({
  ...tier,
  ...reading,
  resetAt: new Date(reading.resetAt),
});

/** The tiers that limit anything: an unlimited one has no number to show. */
const limitedOf = ({ readings }: Decision): TierReading[] =>
  readings.filter(({ tier }) => Number.isFinite(tier.limit));
const leastRemaining = (decision: Decision): TierReading | undefined =>
  limitedOf(decision).toSorted((a, b) => a.remaining - b.remaining)[0];

@ObjectType({ simpleResolvers: true, description: 'What the caller has left.' })
export class RateLimitStatus {
  @Field(() => Int, { description: 'The limit of the tightest tier.' })
  limit: number;
  @Field(() => Int, { description: 'What is left of the tightest tier.' })
  remaining: number;
  @Field(() => DateTime, { description: 'When the tightest tier is full again, if nothing more is used.' })
  resetAt: Date;
  @Field(() => Int, { description: 'The cost of this operation.' })
  cost: number;
  @Field(() => [RateLimitTier], { description: 'Every limit that applies to the caller.' })
  tiers: readonly RateLimitTier[];
}

/** What the caller has left after this request; null where no limited tier holds. */
export function toStatus(decision: Decision | null, cost: number): RateLimitStatus | null {
  // Costs and requests are different units, so the budget is shown only where nothing else is.
  const tightest = decision?.decisive ?? decision?.budget;
  if (!decision || !tightest || !Number.isFinite(tightest.tier.limit)) return null;
  const { limit, remaining, resetAt } = toTier(tightest);
  return { limit, remaining, resetAt, cost, tiers: limitedOf(decision).map(toTier) };
}

@ObjectType({ simpleResolvers: true, description: 'What would be decided about a request.' })
export class RateLimitDecision {
  @Field(() => RateLimitOutcome, { description: 'The decision.' })
  outcome: Decision['outcome'];
  @Field({ description: 'Whether the request is admitted: `outcome` is not REJECT.' })
  allowed: boolean;
  @Field(() => RateLimitDecidedBy, { description: 'What the decision stands on.' })
  decidedBy: Decision['decidedBy'];
  @Field(() => Int, {
    description: 'What is left of the tightest tier; 2147483647 where nothing is counted.',
  })
  remaining: number;
  @Field(() => DateTime, {
    description: 'When the tightest tier is full again; now, where nothing is counted.',
  })
  resetAt: Date;
  @Field(() => Int, {
    nullable: true,
    description:
      'Seconds until it can be admitted. Null: at once, or never, since it asks for more than the limit has.',
  })
  retryAfter: number | null;
  @Field(() => String, {
    nullable: true,
    description: 'The path of the rule that refuses. Null where none does.',
  })
  violated: string | null;
  @Field(() => [RateLimitTier], { description: 'Every limit that applies.' })
  tiers: readonly RateLimitTier[];
  @Field(() => [String], {
    description:
      'Paths of unlimited rules with `fail: closed`: they count nothing, and refuse while counters cannot be reached.',
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
  @Field({ description: 'The path of the rule in the document.' })
  rule: string;
  @Field(() => Float, { description: 'The part of the limit that is in use: 0 to 1.' })
  utilisation: number;
  @Field(() => DateTime, { description: 'When this was measured.' })
  seenAt: Date;
  @Field(() => String, {
    nullable: true,
    description:
      'The plan that they were on. Null for a network, and while processes of the version before run.',
  })
  plan?: string | null | undefined;
}

export const toNearLimit = ({ owner, rule, utilisation, seenAt, plan }: NearLimitRecord): NearLimit => ({
  caller: owner,
  rule,
  utilisation,
  seenAt,
  plan: plan ?? null,
});

@ObjectType({
  simpleResolvers: true,
  description:
    'What a caller near their limits meets now, and would meet under a document that is not in force: with a request that costs 1, and that no rule for an endpoint is about. Nothing is charged.',
})
export class RateLimitRehearsal {
  @Field(() => NearLimit, {
    description: 'Who, and what brought them among the callers nearest to their limits.',
  })
  near: NearLimit;
  @Field(() => RateLimitDecision, {
    nullable: true,
    description: 'What is decided now, with the tiers that hold for them. Null where no rule does.',
  })
  current: RateLimitDecision | null;
  @Field(() => RateLimitDecision, {
    nullable: true,
    description:
      'What the document would decide at the moment when it is put. A tier that counts as before keeps what is used; one with another algorithm or window begins at 0. Null where no rule of it holds.',
  })
  proposed: RateLimitDecision | null;
}

export const toRehearsal = ({ near, current, proposed }: Rehearsal): RateLimitRehearsal => ({
  near: toNearLimit(near),
  current: toDecision(current),
  proposed: toDecision(proposed),
});

@InputType({ description: 'One attribute of an imagined request.' })
export class RateLimitDescriptorInput {
  @Field({
    description:
      '`user_id`, `plan`, `remote_address`, `api_key`, `endpoint`, `query_cost` or `global`. Only `endpoint` may be given several times.',
  })
  key: string;
  @Field(() => String, {
    nullable: true,
    description:
      'The value; absent for `global` alone. An endpoint is `GET /api/orders/*`, `Mutation.placeOrder` or `login`.',
  })
  value?: string | null;
}
