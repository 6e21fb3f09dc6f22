import { Arg, Authorized, Ctx, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { isUuid } from '../domains/notifications/index.js';
import { callerOf, isAdmin } from '../platform/auth/caller.js';
import { PublicError } from '../platform/errors.js';
import { Alert, AlertUpdate } from '../schema/notification-alerts.js';

@Resolver()
export class AlertsResolver {
  @Authorized('admin')
  @Query(() => [Alert], {
    nullable: true,
    description: 'Admin: active alerts, or the last 100 resolved ones; newest first.',
  })
  alerts(
    @Arg('active', () => Boolean, {
      defaultValue: true,
      description: 'True: those that are active. False: the last 100 that are resolved.',
    })
    active: boolean,
    @Ctx() { app }: RequestContext,
  ) {
    return app.notifications.alerts.list(active);
  }

  @Subscription(() => AlertUpdate, {
    description: 'Admin: alerts as they are raised, and again as they are resolved.',
    subscribe: ({ context, args }: { context: RequestContext; args: { after?: string | null } }) =>
      followAlerts(context, args.after ?? null),
  })
  alertRaised(
    @Root() update: AlertUpdate,
    @Arg('after', () => String, { nullable: true }) _after?: string | null,
  ): AlertUpdate {
    return update;
  }
}

/** @throws PublicError FORBIDDEN for a caller who is no admin: fields of a subscription are checked only as events come */
function followAlerts(context: RequestContext, after: string | null) {
  if (!isAdmin(callerOf(context))) throw new PublicError('FORBIDDEN', 'This needs the role admin');
  return context.app.notifications.alerts.follow(context.hub, after, context.signal);
}

async function loadAlert(alertId: string, context: RequestContext) {
  if (!isAdmin(callerOf(context)) || !isUuid(alertId)) return null;
  return context.loaders.alert.load(alertId.toLowerCase());
}

/** Loads alerts for `node`. */
export const alertNodes = { Alert: loadAlert };

export const alertResolvers = [AlertsResolver] as const;
