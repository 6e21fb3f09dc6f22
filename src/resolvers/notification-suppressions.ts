import { Arg, Args, Authorized, Ctx, Directive, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type * as words from '../domains/notifications/index.js';
import { isUuid } from '../domains/notifications/index.js';
import { callerOf, isAdmin } from '../platform/auth/caller.js';
import { PublicError } from '../platform/errors.js';
import { readPaging } from '../platform/paging.js';
import { Channel } from '../schema/notification-enums.js';
import {
  AddressSuppressionConnection,
  AddSuppressionInput,
  AddSuppressionPayload,
  RemoveSuppressionInput,
  RemoveSuppressionPayload,
} from '../schema/notification-suppressions.js';
import { PagingArgs, toGlobalId } from '../schema/relay.js';
import { toPayload } from './payload.js';
import { subjectOf } from './subject.js';
import { withoutNulls } from './without-nulls.js';

@Resolver()
export class SuppressionsResolver {
  @Authorized('admin')
  @Query(() => AddressSuppressionConnection, {
    description: 'Admin: the suppression list, newest first.',
  })
  suppressions(
    @Args(() => PagingArgs) paging: PagingArgs,
    @Arg('channel', () => Channel, { nullable: true, description: 'Only this channel. Absent: all of them.' })
    channel: words.Channel | null,
    @Arg('address', () => String, {
      nullable: true,
      description: 'Only this address, in whatever case. Absent: all of them.',
    })
    address: string | null,
    @Arg('userId', () => ID, {
      nullable: true,
      description:
        "Only this user's mail address and phone number, by raw id or global id. Not together with `address`.",
    })
    userId: string | null,
    @Ctx() context: RequestContext,
  ) {
    if (address != null && userId != null)
      throw new PublicError('BAD_USER_INPUT', 'Use address or userId, not both');
    const of = userId == null ? null : subjectOf(context, userId);
    const filter = { channel: channel ?? null, address: address ?? null, userId: of };
    return context.app.notifications.suppressions.page(readPaging(paging), filter);
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 120, duration: 60)')
  @Mutation(() => AddSuppressionPayload, {
    description:
      'Admin: adds an address to the suppression list: nothing is sent to it any more. One that is on it keeps its entry, unless that is a complaint.',
  })
  async addSuppression(@Arg('input') input: AddSuppressionInput, @Ctx() context: RequestContext) {
    const { suppressions } = context.app.notifications;
    return toPayload('suppression', await suppressions.add(callerOf(context), withoutNulls(input)));
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 120, duration: 60)')
  @Mutation(() => RemoveSuppressionPayload, {
    description:
      'Admin: removes an address from the suppression list: what is sent from now on goes there again.',
  })
  async removeSuppression(@Arg('input') input: RemoveSuppressionInput, @Ctx() context: RequestContext) {
    const result = await context.app.notifications.suppressions.remove(callerOf(context), input);
    if (!result.ok) return { removed: false, deletedId: null, userErrors: result.errors };
    const removed = result.value !== null;
    const deletedId = removed ? toGlobalId('AddressSuppression', result.value) : null;
    return { removed, deletedId, userErrors: [] };
  }
}

async function loadSuppression(suppressionId: string, context: RequestContext) {
  if (!isAdmin(callerOf(context)) || !isUuid(suppressionId)) return null;
  return context.loaders.suppression.load(suppressionId.toLowerCase());
}

/** Loads entries of the suppression list for `node`. */
export const suppressionNodes = { AddressSuppression: loadSuppression };
