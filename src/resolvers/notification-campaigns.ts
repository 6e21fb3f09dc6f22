import { Arg, Args, Authorized, Ctx, Directive, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { isUuid } from '../domains/notifications/index.js';
import { callerOf, mayActFor } from '../platform/auth/caller.js';
import { readPaging } from '../platform/paging.js';
import {
  Campaign,
  CampaignConnection,
  ControlCampaignInput,
  ControlCampaignPayload,
  SendBatchInput,
  SendBatchPayload,
} from '../schema/notification-campaigns.js';
import { fromGlobalId, PagingArgs } from '../schema/relay.js';
import { toPayload } from './payload.js';
import { withoutNulls } from './without-nulls.js';

@Resolver()
export class CampaignsResolver {
  @Authorized('producer', 'admin')
  @Directive('@rateLimit(limit: 120, duration: 60)')
  @Mutation(() => SendBatchPayload, {
    description:
      'Producer: sends a template to everybody in a segment, at a pace. The same `batchId` and input again answers the same campaign.',
  })
  async sendBatch(@Arg('input') input: SendBatchInput, @Ctx() context: RequestContext) {
    const { segment, throttle, dryRun, ...rest } = input;
    const request = {
      ...withoutNulls(rest),
      segment: withoutNulls(segment),
      throttle: throttle ? withoutNulls(throttle) : undefined,
    };
    const { campaigns } = context.app.notifications;
    return dryRun
      ? { campaign: null, ...toPayload('dryRun', await campaigns.dryRun(callerOf(context), request)) }
      : { dryRun: null, ...toPayload('campaign', await campaigns.send(callerOf(context), request)) };
  }

  @Authorized('producer', 'admin')
  @Mutation(() => ControlCampaignPayload, {
    description:
      "Producer: pauses, resumes or cancels one of their campaigns; admin: anybody's. It takes effect within 2 seconds.",
  })
  async controlCampaign(
    @Arg('input') { batchId, action }: ControlCampaignInput,
    @Ctx() context: RequestContext,
  ) {
    const { campaigns } = context.app.notifications;
    const campaign = await findNamed(batchId, context);
    const result = await campaigns.control(callerOf(context), campaign?.campaignId ?? null, action);
    return toPayload('campaign', result);
  }

  @Authorized('producer', 'admin')
  @Query(() => Campaign, {
    nullable: true,
    description:
      "A campaign of the producer's, with how far it is; for admins anybody's. Null where there is none.",
  })
  campaign(
    @Arg('batchId', () => ID, {
      description:
        "The producer's own id of the batch; for admins also another producer's, of which the newest is read. Or the global id of a `Campaign`.",
    })
    batchId: string,
    @Ctx() context: RequestContext,
  ) {
    return findNamed(batchId, context);
  }

  @Authorized('producer', 'admin')
  @Query(() => CampaignConnection, {
    nullable: true,
    description: "A producer's own campaigns, newest first; for admins all of them.",
  })
  campaigns(@Args(() => PagingArgs) args: PagingArgs, @Ctx() context: RequestContext) {
    return context.app.notifications.campaigns.page(callerOf(context), readPaging(args));
  }
}

/**
 * The campaign that an argument names, of those that the caller may see: by its global id; any other text is a batch id, which producers
 * make up.
 */
export async function findNamed(text: string, context: RequestContext) {
  const global = fromGlobalId(text);
  const named = global?.type === 'Campaign' ? await loadCampaign(global.rawId, context) : null;
  return named ?? context.app.notifications.campaigns.find(callerOf(context), text);
}

/** Null where there is none, or it is neither the caller's own nor they are an admin. */
async function loadCampaign(campaignId: string, context: RequestContext) {
  const caller = callerOf(context);
  if (!isUuid(campaignId)) return null;
  const campaign = await context.loaders.campaign.load(campaignId);
  return campaign && mayActFor(caller, campaign.producer) ? campaign : null;
}

/** Loads campaigns for `node`. */
export const campaignNodes = { Campaign: loadCampaign };

export const campaignResolvers = [CampaignsResolver] as const;
