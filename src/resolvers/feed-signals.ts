import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { callerOf } from '../platform/caller.js';
import { RecordSignalsInput, RecordSignalsPayload } from '../schema/feed-signals.js';

@Resolver()
export class SignalsResolver {
  @Mutation(() => RecordSignalsPayload, {
    description:
      'Records what the viewer did with posts and people, which ranks their feed. Repeats within a minute count once.',
  })
  async recordSignals(
    @Arg('input') { signals }: RecordSignalsInput,
    @Ctx() context: RequestContext,
  ): Promise<RecordSignalsPayload> {
    const result = await context.app.feed.ranking.recordSignals(callerOf(context).viewer.userId, signals);
    return result.ok
      ? { recorded: result.value, userErrors: [] }
      : { recorded: 0, userErrors: result.errors };
  }
}

export const signalsResolvers = [SignalsResolver] as const;
