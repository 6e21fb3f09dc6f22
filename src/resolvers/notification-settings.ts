import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { callerOf, mayActFor } from '../platform/auth/caller.js';
import { ok } from '../platform/errors.js';
import { readDeviceRawId } from '../schema/global-ids.js';
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
  toDevice,
} from '../schema/notification-settings.js';
import { toPayload } from './payload.js';
import { subjectOf, WHOSE } from './subject.js';
import { withoutNulls } from './without-nulls.js';

@Resolver()
export class NotificationSettingsResolver {
  @Query(() => NotificationPreferences, {
    nullable: true,
    description: 'What a user has set about notifications.',
  })
  notificationPreferences(
    @Arg('userId', () => ID, WHOSE) userId: string | null,
    @Ctx() context: RequestContext,
  ) {
    return { userId: subjectOf(context, userId) };
  }

  @Query(() => [Device], { nullable: true, description: 'The devices of a user, oldest first.' })
  async devices(@Arg('userId', () => ID, WHOSE) userId: string | null, @Ctx() context: RequestContext) {
    const owner = subjectOf(context, userId);
    return (await context.app.notifications.devices(owner)).map((device) => toDevice(owner, device));
  }

  @Mutation(() => RegisterDevicePayload, {
    description:
      "Registers a device of the caller's for push messages, or its new token. The newest 20 devices are kept.",
  })
  async registerDevice(@Arg('input') input: RegisterDeviceInput, @Ctx() context: RequestContext) {
    const userId = subjectOf(context, null);
    const result = await context.app.notifications.registerDevice(userId, withoutNulls(input));
    return toPayload('device', result.ok ? ok(toDevice(userId, result.value)) : result);
  }

  @Mutation(() => UnregisterDevicePayload, {
    description: "Forgets a device of the caller's: nothing is sent to it any more.",
  })
  async unregisterDevice(@Arg('input') { deviceId }: UnregisterDeviceInput, @Ctx() context: RequestContext) {
    const userId = subjectOf(context, null);
    const result = await context.app.notifications.unregisterDevice(userId, deviceId);
    const payload = toPayload('device', result.ok ? ok(toDevice(userId, result.value)) : result);
    return { ...payload, deletedId: payload.device?.id ?? null };
  }

  @Mutation(() => SetNotificationPreferencesPayload, {
    description: 'Says which kinds of notification a user wants over which channels.',
  })
  async setNotificationPreferences(
    @Arg('input') input: SetNotificationPreferencesInput,
    @Ctx() context: RequestContext,
  ) {
    const userId = subjectOf(context, input.userId);
    const result = await context.app.notifications.setPreferences(userId, input.preferences);
    return toPayload('preferences', result.ok ? ok({ userId }) : result);
  }

  @Mutation(() => UpdateNotificationSettingsPayload, {
    description: 'Changes how and when a user wants to be notified.',
  })
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
  @FieldResolver(() => NotificationSettings, {
    description: 'Their settings, with defaults where they set nothing.',
  })
  settings(@Root() { userId }: NotificationPreferences, @Ctx() context: RequestContext) {
    return context.app.notifications.settings(userId);
  }

  @FieldResolver(() => [ChannelPreference], {
    description: 'What they have set for types and channels. A pair that is not listed is enabled.',
  })
  preferences(@Root() { userId }: NotificationPreferences, @Ctx() context: RequestContext) {
    return context.app.notifications.preferences(userId);
  }

  @FieldResolver(() => [Channel], {
    description:
      'The channels over which a notification of this type would be sent now, quiet hours included.',
  })
  effectiveChannels(
    @Root() { userId }: NotificationPreferences,
    @Arg('notificationType', { description: 'The kind of notification.' }) notificationType: string,
    @Ctx() context: RequestContext,
  ) {
    return context.app.notifications.effectiveChannels(userId, notificationType);
  }
}

async function loadDevice(rawId: string, context: RequestContext) {
  const [userId, deviceId] = readDeviceRawId(rawId);
  if (userId === '' || !mayActFor(callerOf(context), userId)) return null;
  const device = (await context.loaders.devices.load(userId)).find((one) => one.deviceId === deviceId);
  return device ? toDevice(userId, device) : null;
}

/** Loads a user's settings for `node`: for the user and for admins. */
export const settingsNodes = {
  Device: loadDevice,
  NotificationPreferences: async (userId: string, context: RequestContext) => ({
    userId: subjectOf(context, userId),
  }),
};
