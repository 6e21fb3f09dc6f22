import { z } from 'zod';
import { defined } from '../../platform/defined.js';
import { channels } from './channels.js';
import { DAILY_AT } from './digests/due.js';
import { groupingVariable } from './grouping/rules.js';
import { providerVariables } from './providers/config.js';
import type { GroupingRule } from './types.js';

export { type ProvidersConfig, readProviders } from './providers/config.js';

/** What quiet hours do to a notification type: drop it, defer it until they end, or nothing. */
export type QuietHoursRule = 'drop' | 'defer' | 'bypass';

/** `TYPE=defer,OTHER_TYPE=bypass` */
const quietHours = z.string().transform((text, context) =>
  Object.fromEntries(
    text.split(',').map((part) => {
      const [, type = '', rule = ''] = /^\s*(\w{1,64})\s*=\s*(drop|defer|bypass)\s*$/.exec(part) ?? [];
      if (!type)
        context.addIssue(`${JSON.stringify(part)} is not like NEW_MESSAGE=defer (drop, defer, bypass)`);
      return [type, rule as QuietHoursRule];
    }),
  ),
);

/** At most so many in any stretch of so many seconds; null: no limit. */
export type ConfiguredLimit = { readonly max: number; readonly windowSeconds: number } | null;

/** Limits of notifications that differ from the product's own, by name. */
export interface NotificationLimitsConfig {
  /** Of a user, by channel. */
  readonly channels: Readonly<Record<string, ConfiguredLimit>>;
  /** Of a user, by notification type. */
  readonly types: Readonly<Record<string, ConfiguredLimit>>;
  /** Of everybody together, by channel. */
  readonly global: Readonly<Record<string, ConfiguredLimit>>;
}

const SECONDS = { h: 3_600, d: 86_400 } as const;
const LONGEST_SECONDS = 30 * SECONDS.d;
/** Each thing that is counted in a user's limit is kept by its name until the window is over. */
const MAX_OF_A_USER = 1_000;
const MAX_OF_ALL = 2_147_483_647;
const isChannel = (name: string): boolean => channels.some((channel) => channel === name);
const isType = (name: string): boolean => /^\w{1,64}$/.test(name);

/** `push=30/1h,email=10/24h,sms=off`: hours (h) or days (d). */
const limits = (isKnown: (name: string) => boolean, example: string, most: number) =>
  z.string().transform((text, context) =>
    Object.fromEntries(
      text.split(',').map((part): [string, ConfiguredLimit] => {
        const [, of = '', rest = ''] = /^\s*(\w+)\s*=\s*(\S+)\s*$/.exec(part) ?? [];
        const limit = readLimit(rest, most);
        if (!isKnown(of) || limit === undefined) {
          const form = `${example} or …=off (1 to ${most}, in 1h to 30d)`;
          context.addIssue(`${JSON.stringify(part)} is not like ${form}`);
        }
        return [of, limit ?? null];
      }),
    ),
  );

function readLimit(text: string, most: number): ConfiguredLimit | undefined {
  if (text === 'off') return null;
  const [, max, count, unit] = /^(\d{1,10})\/(\d{1,4})([hd])$/.exec(text) ?? [];
  const limit = { max: Number(max), windowSeconds: Number(count) * SECONDS[unit as 'h' | 'd'] };
  const fits =
    limit.max >= 1 && limit.max <= most && limit.windowSeconds > 0 && limit.windowSeconds <= LONGEST_SECONDS;
  return fits ? limit : undefined;
}

/** The variables of the environment that notifications and their providers are configured by. */
export const notificationVariables = {
  ...providerVariables,
  NOTIFICATION_CHANNEL_LIMITS: limits(isChannel, 'push=30/1h', MAX_OF_A_USER).optional(),
  NOTIFICATION_TYPE_LIMITS: limits(isType, 'NEW_FOLLOWER=10/24h', MAX_OF_A_USER).optional(),
  NOTIFICATION_GLOBAL_LIMITS: limits(isChannel, 'push=30/1h', MAX_OF_ALL).optional(),
  /** Signs the links in mails; AUTH_SECRET where it is absent. */
  TRACK_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  QUIET_HOURS: quietHours.optional(),
  DIGEST_DAILY_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day like 08:00')
    .default(DAILY_AT),
  NOTIFICATION_GROUPING: groupingVariable.optional(),
  // Ids are remembered for a day: what they stand for must be there for longer.
  RETENTION_DAYS: z.coerce.number().int().min(2).max(3_650).default(90),
  INBOX_RETENTION_DAYS: z.coerce.number().int().min(2).max(3_650).default(365),
  /** Encrypts the secrets of webhooks; AUTH_SECRET where it is absent. */
  WEBHOOK_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  /** For laptops: webhooks may be on inside addresses, on any port, and without TLS. */
  WEBHOOK_ALLOW_PRIVATE: z.stringbool().default(false),
  // An event is tried for three days.
  WEBHOOK_RETENTION_DAYS: z.coerce.number().int().min(4).max(3_650).default(30),
};
type Variables = z.infer<z.ZodObject<typeof notificationVariables>>;

/** After how many days what is over is deleted. */
export interface RetentionConfig {
  /** Requests with their deliveries and history, settled dead letters, resolved alerts. */
  readonly days: number;
  /** Items of in-app inboxes. */
  readonly inboxDays: number;
}

export interface WebhooksConfig {
  /** Encrypts secrets; undefined where neither WEBHOOK_KEY nor AUTH_SECRET is set: then no webhook can be made. */
  readonly key?: string;
  /** Inside addresses, http and any port are allowed. */
  readonly allowPrivate: boolean;
  /** After so many days what was sent to webhooks is forgotten. */
  readonly retentionDays: number;
}

export interface NotificationsConfig {
  readonly retention: RetentionConfig;
  /** What quiet hours do, for types that differ from the default. */
  readonly quietHours: Readonly<Record<string, QuietHoursRule>>;
  /** When daily digests go, in the zone of each user: `HH:MM`; `DAILY_AT` unless set. */
  readonly digestDailyAt?: string;
  /** How notifications are grouped, for types that differ from the default; null: not at all. */
  readonly grouping?: Readonly<Record<string, GroupingRule | null>>;
  /** Signs the links in mails; undefined where neither TRACK_SECRET nor AUTH_SECRET is set: mails are not tracked. */
  readonly trackSecret?: string;
  readonly webhooks: WebhooksConfig;
}

/** @param authSecret stands for TRACK_SECRET and WEBHOOK_KEY where they are absent */
export const readNotifications = (env: Variables, authSecret: string | undefined): NotificationsConfig => ({
  quietHours: env.QUIET_HOURS ?? {},
  digestDailyAt: env.DIGEST_DAILY_AT,
  retention: { days: env.RETENTION_DAYS, inboxDays: env.INBOX_RETENTION_DAYS },
  ...defined({ grouping: env.NOTIFICATION_GROUPING, trackSecret: env.TRACK_SECRET ?? authSecret }),
  webhooks: {
    ...defined({ key: env.WEBHOOK_KEY ?? authSecret }),
    allowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
    retentionDays: env.WEBHOOK_RETENTION_DAYS,
  },
});

export const readNotificationLimits = (env: Variables): NotificationLimitsConfig => ({
  channels: env.NOTIFICATION_CHANNEL_LIMITS ?? {},
  types: env.NOTIFICATION_TYPE_LIMITS ?? {},
  global: env.NOTIFICATION_GLOBAL_LIMITS ?? {},
});
