import {
  Arg,
  Args,
  Authorized,
  Ctx,
  Directive,
  FieldResolver,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { RequestContext } from '../context.js';
import { callerOf } from '../platform/auth/caller.js';
import type { RateLimitDecision as Decision } from '../platform/gate.js';
import { readPaging } from '../platform/paging.js';
import {
  NearLimit,
  RateLimitDecision,
  RateLimitDescriptorInput,
  RateLimitRehearsal,
  RateLimitStatus,
  toDecision,
  toNearLimit,
  toRehearsal,
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

/** What the rate-limit check left in the context. */
interface Checked {
  readonly decision: Decision | null;
  readonly queryCost: number;
}

@Resolver()
export class LimitsResolver {
  @Query(() => RateLimitStatus, {
    nullable: true,
    description:
      'What the caller has left of requests and query cost, this request included. Null where nothing is limited.',
  })
  rateLimit(@Ctx() { decision, queryCost }: Checked) {
    return toStatus(decision, queryCost);
  }

  @Authorized('admin')
  @Query(() => RateLimitRuleSet, { nullable: true, description: 'Admin: the rules in force.' })
  rateLimitRules(@Ctx() { limits }: RequestContext) {
    return limits.rules.ruleSet();
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 600, duration: 60)')
  @Query(() => RateLimitDecision, {
    nullable: true,
    description:
      'Admin: what would be decided about such a request now, without charging anything. Null where no rule applies to it.',
  })
  async rateLimitPreview(
    @Arg('descriptors', () => [RateLimitDescriptorInput], {
      description: 'The attributes of the imagined request, at most 20.',
    })
    descriptors: RateLimitDescriptorInput[],
    @Ctx() { limits }: RequestContext,
  ) {
    return toDecision(await limits.limiter.preview(readDescriptors(descriptors)));
  }

  @Authorized('admin')
  @Query(() => RateLimitRulesPutConnection, {
    nullable: true,
    description: 'Admin: which rules were put through the API, and by whom; newest first.',
  })
  rateLimitRulesHistory(@Args(() => PagingArgs) paging: PagingArgs, @Ctx() { limits }: RequestContext) {
    return limits.rules.history(readPaging(paging));
  }

  @Authorized('admin')
  @Query(() => [NearLimit], {
    nullable: true,
    description: 'Admin: the callers nearest to their limits, the highest utilisation first.',
  })
  async rateLimitTopCallers(
    @Arg('first', () => Int, { defaultValue: 10, description: 'How many: 1 to 100.' }) first: number,
    @Ctx() { limits }: RequestContext,
  ) {
    const { limit } = readPaging({ first });
    return (await limits.nearLimits.top(limit)).map(toNearLimit);
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 120, duration: 60)')
  @Mutation(() => PutRateLimitRulesPayload, {
    description: 'Admin: checks rules and puts them in force on every process.',
  })
  async putRateLimitRules(@Arg('input') input: PutRateLimitRulesInput, @Ctx() context: RequestContext) {
    const { document, dryRun, expectedVersion } = input;
    const result = await context.limits.rules.put(callerOf(context), {
      ...{ document, dryRun },
      expectedVersion: expectedVersion ?? undefined,
    });
    return { ...toPayload('ruleSet', result), rehearsed: result.ok && dryRun ? document : null };
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 120, duration: 60)')
  @Mutation(() => ReloadRateLimitRulesPayload, {
    description: 'Admin: makes every process read its source of rules again.',
  })
  async reloadRateLimitRules(@Ctx() { limits }: RequestContext) {
    return toPayload('ruleSet', await limits.rules.reload());
  }
}

@Resolver(() => PutRateLimitRulesPayload)
export class PutRateLimitRulesPayloadResolver {
  @FieldResolver(() => [RateLimitRehearsal], {
    nullable: true,
    description:
      'Of a dry run that found no fault: what the document would decide about the callers of `rateLimitTopCallers`. It cannot say what they ask for, so neither rules for endpoints nor costs above 1 are in it, nor which of their last requests it would have refused; callers below 80 % of their limits are not looked at. Null where rules were put or refused.',
  })
  async topCallers(
    @Root() { rehearsed }: PutRateLimitRulesPayload,
    @Arg('first', () => Int, { defaultValue: 10, description: 'How many: 1 to 100.' }) first: number,
    @Ctx() { limits }: RequestContext,
  ): Promise<RateLimitRehearsal[] | null> {
    if (rehearsed === null) return null;
    const { limit } = readPaging({ first });
    return (await limits.rehearse(rehearsed, limit)).map(toRehearsal);
  }
}

export const limitsResolvers = [LimitsResolver, PutRateLimitRulesPayloadResolver] as const;
