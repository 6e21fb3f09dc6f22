import {
  Arg,
  Args,
  Authorized,
  type ClassType,
  Ctx,
  Directive,
  FieldResolver,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { RequestContext } from '../context.js';
import type * as words from '../domains/notifications/index.js';
import { isUuid, type Settlement } from '../domains/notifications/index.js';
import { callerOf, isAdmin } from '../platform/auth/caller.js';
import type { Result } from '../platform/errors.js';
import { readPaging } from '../platform/paging.js';
import {
  DeadLetter,
  DeadLetterConnection,
  DiscardDeadLettersInput,
  DiscardDeadLettersPayload,
  RetryDeadLettersInput,
  RetryDeadLettersPayload,
} from '../schema/notification-dead-letters.js';
import { Channel } from '../schema/notification-enums.js';
import { PagingArgs } from '../schema/relay.js';
import { countedOnce, showTotal } from './total-count.js';
import { withoutNulls } from './without-nulls.js';

@Resolver()
export class DeadLettersResolver {
  @Authorized('admin')
  @Query(() => DeadLetterConnection, {
    nullable: true,
    description: 'Admin: open dead letters, newest first.',
  })
  async deadLetters(
    @Args(() => PagingArgs) paging: PagingArgs,
    @Arg('channel', () => Channel, { nullable: true, description: 'Only this channel. Absent: all of them.' })
    channel: words.Channel | null,
    @Ctx() { app }: RequestContext,
  ) {
    return countedOnce(await app.notifications.deadLetters.page(readPaging(paging), channel ?? null));
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 120, duration: 60)')
  @Mutation(() => RetryDeadLettersPayload, {
    description:
      'Admin: queues open dead letters again with all their attempts. Each is retried once; one that its user does not want any more is closed.',
  })
  async retryDeadLetters(@Arg('input') input: RetryDeadLettersInput, @Ctx() context: RequestContext) {
    const { deadLetters } = context.app.notifications;
    return toSettlement(await deadLetters.retry(callerOf(context), withoutNulls(input)));
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 120, duration: 60)')
  @Mutation(() => DiscardDeadLettersPayload, {
    description: 'Admin: closes open dead letters. Their deliveries stay DEAD.',
  })
  async discardDeadLetters(@Arg('input') input: DiscardDeadLettersInput, @Ctx() context: RequestContext) {
    const { deadLetters } = context.app.notifications;
    return toSettlement(await deadLetters.discard(callerOf(context), withoutNulls(input)));
  }
}

/** Gives a payload the dead letters that it settled, as they are then. */
function showSettled(payload: ClassType<RetryDeadLettersPayload>) {
  @Resolver(() => payload)
  class SettledDeadLettersResolver {
    @FieldResolver(() => [DeadLetter], {
      description:
        'The dead letters that this call settled: all that were named, or the first 100 of a channel.',
    })
    async deadLetters(@Root() { settled }: RetryDeadLettersPayload, @Ctx() { app }: RequestContext) {
      if (settled.length === 0) return [];
      const found = await app.notifications.deadLetters.byId(settled);
      const byId = new Map(found.map((letter) => [letter.deliveryId, letter]));
      return settled.flatMap((deliveryId) => byId.get(deliveryId) ?? []);
    }
  }
  return SettledDeadLettersResolver;
}

async function loadDeadLetter(deliveryId: string, context: RequestContext) {
  if (!isAdmin(callerOf(context)) || !isUuid(deliveryId)) return null;
  return context.loaders.deadLetter.load(deliveryId.toLowerCase());
}

/** Loads dead letters for `node`. */
export const deadLetterNodes = { DeadLetter: loadDeadLetter };

export const deadLetterResolvers = [
  DeadLettersResolver,
  showSettled(RetryDeadLettersPayload),
  showSettled(DiscardDeadLettersPayload),
  showTotal(DeadLetterConnection, 'How many are open, on all pages together: exact up to 10,000.'),
] as const;

const toSettlement = (result: Result<Settlement>) =>
  result.ok
    ? { ...result.value, userErrors: [] }
    : { affected: 0, settled: [], skipped: [], hasMore: false, userErrors: result.errors };
