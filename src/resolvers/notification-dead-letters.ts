import {
  Arg,
  Args,
  Authorized,
  Ctx,
  Directive,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { RequestContext } from '../context.js';
import type * as words from '../domains/notifications/index.js';
import { type FailedNotification, isUuid, type Settlement } from '../domains/notifications/index.js';
import { callerOf, isAdmin } from '../platform/caller.js';
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
import { PagingArgs, toGlobalId } from '../schema/relay.js';

@Resolver()
export class DeadLettersResolver {
  @Authorized('admin')
  @Query(() => DeadLetterConnection, {
    nullable: true,
    description: 'Admin: deliveries that were given up, and neither retried nor discarded; newest first.',
  })
  async deadLetters(
    @Args(() => PagingArgs) paging: PagingArgs,
    @Arg('channel', () => Channel, { nullable: true }) channel: words.Channel | null,
    @Ctx() { app }: RequestContext,
  ) {
    const of = channel ?? null;
    return { ...(await app.notifications.deadLetters.page(readPaging(paging), of)), channel: of };
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 120, duration: 60)')
  @Mutation(() => RetryDeadLettersPayload, {
    description:
      'Admin: queues open dead letters again, with all their attempts. Each is retried once; one that its user has declined meanwhile is closed.',
  })
  async retryDeadLetters(@Arg('input') input: RetryDeadLettersInput, @Ctx() context: RequestContext) {
    const { deadLetters } = context.app.notifications;
    return toSettlement(await deadLetters.retry(callerOf(context), toSelection(input)));
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 120, duration: 60)')
  @Mutation(() => DiscardDeadLettersPayload, {
    description: 'Admin: closes open dead letters. Their deliveries stay DEAD.',
  })
  async discardDeadLetters(@Arg('input') input: DiscardDeadLettersInput, @Ctx() context: RequestContext) {
    const { deadLetters } = context.app.notifications;
    return toSettlement(await deadLetters.discard(callerOf(context), toSelection(input)));
  }
}

@Resolver(() => DeadLetter)
export class DeadLetterResolver {
  @FieldResolver(() => ID)
  id(@Root() letter: FailedNotification): string {
    return toGlobalId('DeadLetter', letter.deliveryId);
  }
}

@Resolver(() => DeadLetterConnection)
export class DeadLetterConnectionResolver {
  @FieldResolver(() => Int)
  totalCount(@Root() { channel }: DeadLetterConnection, @Ctx() { app }: RequestContext): Promise<number> {
    return app.notifications.deadLetters.count(channel);
  }
}

async function loadDeadLetter(
  deliveryId: string,
  context: RequestContext,
): Promise<FailedNotification | null> {
  if (!isAdmin(callerOf(context)) || !isUuid(deliveryId)) return null;
  return context.loaders.deadLetter.load(deliveryId.toLowerCase());
}

/** Loads dead letters for `node`. */
export const deadLetterNodes = { DeadLetter: loadDeadLetter };

export const deadLetterResolvers = [
  DeadLettersResolver,
  DeadLetterResolver,
  DeadLetterConnectionResolver,
] as const;

/** In optional inputs null means absent. */
const toSelection = ({ deliveryIds, channel }: RetryDeadLettersInput) => ({
  deliveryIds: deliveryIds ?? undefined,
  channel: channel ?? undefined,
});

const toSettlement = (result: Result<Settlement>) =>
  result.ok
    ? { ...result.value, userErrors: [] }
    : { affected: 0, skipped: [], hasMore: false, userErrors: result.errors };
