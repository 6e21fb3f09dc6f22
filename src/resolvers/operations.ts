import { Authorized, Ctx, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { callerOf, isAdmin } from '../platform/auth/caller.js';
import { PublicError } from '../platform/errors.js';
import { OperationsPoint, OperationsSample } from '../schema/operations.js';

@Resolver()
export class OperationsResolver {
  @Authorized('admin')
  @Query(() => [OperationsPoint], {
    nullable: true,
    description:
      'Admin: samples of the last 15 minutes, one each 10 s, oldest first. Fewer where no worker ran, and after Redis lost its data.',
  })
  operationsHistory(@Ctx() { app }: RequestContext) {
    return app.operations.history();
  }

  @Subscription(() => OperationsSample, {
    description:
      'Admin: one sample a second of queue depths, rates and latencies, over all processes. There is no cursor: what was missed is past.',
    subscribe: ({ context }: { context: RequestContext }) => followOperations(context),
  })
  operations(@Root() sample: OperationsSample): OperationsSample {
    return sample;
  }
}

/** @throws PublicError FORBIDDEN for a caller who is no admin: fields of a subscription are checked only as events come */
function followOperations(context: RequestContext) {
  if (!isAdmin(callerOf(context))) throw new PublicError('FORBIDDEN', 'This needs the role admin');
  return context.app.operations.follow(context.signal);
}

export const operationsResolvers = [OperationsResolver] as const;
