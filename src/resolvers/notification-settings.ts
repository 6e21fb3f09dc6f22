import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { isName } from '../domains/notifications/index.js';
import { callerOf, mayActFor } from '../platform/caller.js';
import { ok, PublicError } from '../platform/errors.js';
import { Channel } from '../schema/notification-enums.js';
import {
  RegisterDeviceInput,
  SetNotificationPreferencesInput,
  UnregisterDeviceInput,
  UpdateNotificationSettingsInput,
} from '../schema/notification-inputs.js';
import {
  RegisterDevicePayload,
  SetNotificationPreferencesPayload,
  UnregisterDevicePayload,
  UpdateNotificationSettingsPayload,
} from '../schema/notification-payloads.js';
import {
  ChannelPreference,
  Device,
  NotificationPreferences,
  NotificationSettings,
} from '../schema/notification-settings.js';
import { toPayload } from './payload.js';

/**
 * The user whom a field is about: the caller unless an admin names another.
 *
 * @throws PublicError FORBIDDEN, or BAD_USER_INPUT for an id that no user can have
 */
export function subjectOf(context: RequestContext, userId: string | null | undefined): string {
  const caller = callerOf(context);
  const subject = userId ?? caller.viewer.userId;
  if (!mayActFor(caller, subject)) throw new PublicError('FORBIDDEN', "These are another user's");
  if (!isName(subject, 64))
    throw new PublicError('BAD_USER_INPUT', 'userId has 1 to 64 printable characters');
  return subject;
}

@Resolver()
export class NotificationSettingsResolver {
  @Query(() => NotificationPreferences, { nullable: true })
  notificationPreferences(
    @Arg('userId', () => ID, { nullable: true }) userId: string | null,
    @Ctx() context: RequestContext,
  ): NotificationPreferences {
    return { userId: subjectOf(context, userId) };
  }

  @Query(() => [Device], { nullable: true })
  devices(
    @Arg('userId', () => ID, { nullable: true }) userId: string | null,
    @Ctx() context: RequestContext,
  ): Promise<readonly Device[]> {
    return context.app.notifications.devices(subjectOf(context, userId));
  }

  @Mutation(() => RegisterDevicePayload)
  async registerDevice(@Arg('input') input: RegisterDeviceInput, @Ctx() context: RequestContext) {
    const registration = { ...input, appVersion: input.appVersion ?? undefined };
    return toPayload(
      'device',
      await context.app.notifications.registerDevice(subjectOf(context, null), registration),
    );
  }

  @Mutation(() => UnregisterDevicePayload)
  async unregisterDevice(@Arg('input') { deviceId }: UnregisterDeviceInput, @Ctx() context: RequestContext) {
    const userId = subjectOf(context, null);
    return toPayload('device', await context.app.notifications.unregisterDevice(userId, deviceId));
  }

  @Mutation(() => SetNotificationPreferencesPayload)
  async setNotificationPreferences(
    @Arg('input') input: SetNotificationPreferencesInput,
    @Ctx() context: RequestContext,
  ) {
    const userId = subjectOf(context, input.userId);
    const result = await context.app.notifications.setPreferences(userId, input.preferences);
    return toPayload('preferences', result.ok ? ok({ userId }) : result);
  }

  @Mutation(() => UpdateNotificationSettingsPayload)
  async updateNotificationSettings(
    @Arg('input') input: UpdateNotificationSettingsInput,
    @Ctx() context: RequestContext,
  ) {
    const { userId: named, ...change } = input;
    const userId = subjectOf(context, named);
    const result = await context.app.notifications.updateSettings(userId, change);
    return toPayload('preferences', result.ok ? ok({ userId }) : result);
  }
}

@Resolver(() => NotificationPreferences)
export class NotificationPreferencesResolver {
  @FieldResolver(() => NotificationSettings)
  settings(
    @Root() { userId }: NotificationPreferences,
    @Ctx() context: RequestContext,
  ): Promise<NotificationSettings> {
    return context.app.notifications.settings(userId);
  }

  @FieldResolver(() => [ChannelPreference], {
    description: 'Stored rows only; a pair without a row is enabled.',
  })
  preferences(
    @Root() { userId }: NotificationPreferences,
    @Ctx() context: RequestContext,
  ): Promise<readonly ChannelPreference[]> {
    return context.app.notifications.preferences(userId);
  }

  @FieldResolver(() => [Channel], {
    description: 'What would be used for this type now, quiet hours applied.',
  })
  effectiveChannels(
    @Root() { userId }: NotificationPreferences,
    @Arg('notificationType') notificationType: string,
    @Ctx() context: RequestContext,
  ) {
    return context.app.notifications.effectiveChannels(userId, notificationType);
  }
}
