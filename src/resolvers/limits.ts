import { Arg, Args, Authorized, Ctx, Directive, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { Decision } from '../domains/limits/index.js';
import { callerOf } from '../platform/caller.js';
import { MAX_PAGE, readPaging } from '../platform/paging.js';
import {
  NearLimit,
  RateLimitDecision,
  RateLimitDescriptorInput,
  RateLimitStatus,
  toDecision,
  toNearLimit,
  toStatus,
} from '../schema/limits.js';
import {
  PutRateLimitRulesInput,
  PutRateLimitRulesPayload,
  RateLimitRuleSet,
  RateLimitRulesPutConnection,
  ReloadRateLimitRulesPayload,
} from '../schema/limits-rules.js';
import { PagingArgs } from '../schema/relay.js';
import { readDescriptors } from './limits-preview.js';
import { toPayload } from './payload.js';

/** The edge knows its gate's verdict by a few of its fields; the gate is the limiter, so it is a whole decision. */
interface Judged {
  readonly verdict: Decision | null;
  readonly queryCost: number;
}

@Resolver()
export class LimitsResolver {
  @Query(() => RateLimitStatus, {
    nullable: true,
    description:
      "The caller's own remaining GraphQL and request budget, this request included. Null where nothing is limited.",
  })
  rateLimit(@Ctx() { verdict, queryCost }: Judged): RateLimitStatus | null {
    return toStatus(verdict, queryCost);
  }

  @Authorized('admin')
  @Query(() => RateLimitRuleSet, { nullable: true, description: 'Admin: the rules in force.' })
  rateLimitRules(@Ctx() { limits }: RequestContext): RateLimitRuleSet {
    return limits.rules.ruleSet();
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 600, duration: 60)')
  @Query(() => RateLimitDecision, {
    nullable: true,
    description:
      'Admin: what would be decided for these descriptors now, charging nothing. Null where no rule limits or guards.',
  })
  async rateLimitPreview(
    @Arg('descriptors', () => [RateLimitDescriptorInput]) descriptors: RateLimitDescriptorInput[],
    @Ctx() { limits }: RequestContext,
  ): Promise<RateLimitDecision | null> {
    return toDecision(await limits.limiter.preview(readDescriptors(descriptors)));
  }

  @Authorized('admin')
  @Query(() => RateLimitRulesPutConnection, {
    nullable: true,
    description: 'Admin: who put which rules through the API, newest first.',
  })
  rateLimitRulesHistory(
    @Args(() => PagingArgs) paging: PagingArgs,
    @Ctx() { limits }: RequestContext,
  ): Promise<RateLimitRulesPutConnection> {
    return limits.rules.history(readPaging(paging));
  }

  @Authorized('admin')
  @Query(() => [NearLimit], {
    nullable: true,
    description: `Admin: the callers nearest to their limits, highest utilisation first; 1 to ${MAX_PAGE}.`,
  })
  async rateLimitTopCallers(
    @Arg('first', () => Int, { defaultValue: 10 }) first: number,
    @Ctx() { limits }: RequestContext,
  ): Promise<NearLimit[]> {
    const { limit } = readPaging({ first });
    return (await limits.nearLimits.top(limit)).map(toNearLimit);
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 120, duration: 60)')
  @Mutation(() => PutRateLimitRulesPayload, {
    description: 'Admin: checks rules and puts them in force on every process.',
  })
  async putRateLimitRules(@Arg('input') input: PutRateLimitRulesInput, @Ctx() context: RequestContext) {
    return toPayload('ruleSet', await context.limits.rules.put(callerOf(context), input));
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 120, duration: 60)')
  @Mutation(() => ReloadRateLimitRulesPayload, {
    description: 'Admin: every process looks at its source of rules again.',
  })
  async reloadRateLimitRules(@Ctx() { limits }: RequestContext) {
    return toPayload('ruleSet', await limits.rules.reload());
  }
}

export const limitsResolvers = [LimitsResolver] as const;
