import { Resolver, Root, Subscription } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { callerOf, isAdmin } from '../platform/auth/caller.js';
import { PublicError } from '../platform/errors.js';
import { OperationsSample } from '../schema/operations.js';

@Resolver()
export class OperationsResolver {
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
