import { Arg, Args, Authorized, Ctx, Directive, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { callerOf, isAdmin } from '../platform/auth/caller.js';
import { ok } from '../platform/errors.js';
import { browseEvents } from '../platform/event-log/browse.js';
import { readPaging } from '../platform/paging.js';
import { forgetProjector, listProjectors, requestRebuild } from '../platform/projector/overview.js';
import {
  EventConnection,
  EventsArgs,
  ForgetProjectorInput,
  ForgetProjectorPayload,
  Projector,
  RebuildProjectorInput,
  RebuildProjectorPayload,
  toProjector,
  toStoredEvent,
} from '../schema/log.js';
import { toGlobalId } from '../schema/relay.js';
import { toPayload } from './payload.js';

@Resolver()
export class LogResolver {
  @Authorized('admin')
  @Directive('@rateLimit(limit: 600, duration: 60)')
  @Query(() => EventConnection, {
    nullable: true,
    description:
      'Admin: the append-only log itself, by stream, by correlation id, or from a global position on.',
  })
  async events(@Args() args: EventsArgs, @Ctx() { app }: RequestContext) {
    const page = await browseEvents(app, args, readPaging(args));
    return { ...page, edges: page.edges.map(({ cursor, node }) => ({ cursor, node: toStoredEvent(node) })) };
  }

  @Authorized('admin')
  @Query(() => [Projector], {
    nullable: true,
    description: 'Admin: every projector, with how far it is and why it is not further.',
  })
  async projectors(@Ctx() { app }: RequestContext) {
    return (await listProjectors(app.postgres)).map(toProjector);
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 60, duration: 60)')
  @Mutation(() => RebuildProjectorPayload, {
    description:
      'Admin: builds a read model anew beside the live one, then swaps both: reads go on, and no follow-up work is repeated.',
  })
  async rebuildProjector(@Arg('input') { name }: RebuildProjectorInput, @Ctx() context: RequestContext) {
    const result = await requestRebuild(context.app.postgres, callerOf(context), name);
    return toPayload('projector', result.ok ? ok(toProjector(result.value)) : result);
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 60, duration: 60)')
  @Mutation(() => ForgetProjectorPayload, {
    description:
      'Admin: takes a projector that no version runs any more off `projectors` and out of the lag of `operations`. Its checkpoint and its tables stay: one that comes back goes on from there.',
  })
  async forgetProjector(
    @Arg('input') { name }: ForgetProjectorInput,
    @Ctx() context: RequestContext,
  ): Promise<ForgetProjectorPayload> {
    const { userId } = callerOf(context).viewer;
    const result = await forgetProjector(context.app.postgres, name);
    if (!result.ok) return { deletedId: null, userErrors: result.errors };
    context.logger.info({ projector: name, userId }, 'an admin took a projector off the list');
    return { deletedId: toGlobalId('Projector', result.value), userErrors: [] };
  }
}

export const logResolvers = [LogResolver] as const;

/** Loads projectors for `node`: for admins. */
export const logNodes = {
  async Projector(name: string, context: RequestContext) {
    if (!isAdmin(callerOf(context))) return null;
    const found = await context.loaders.projector.load(name);
    return found ? toProjector(found) : null;
  },
};
