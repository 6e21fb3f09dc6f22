import { z } from 'zod';

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
const CHANNEL = /^(push|sms|email|in_app)$/;
const TYPE = /^\w{1,64}$/;

/** `push=30/1h,email=10/24h,sms=off`: hours (h) or days (d). */
const table = (name: RegExp, most: number) =>
  z.string().transform((text, context) =>
    Object.fromEntries(
      text.split(',').map((part): [string, ConfiguredLimit] => {
        const [, of = '', rest = ''] = /^\s*(\w+)\s*=\s*(\S+)\s*$/.exec(part) ?? [];
        const limit = readLimit(rest, most);
        if (!name.test(of) || limit === undefined) {
          context.addIssue(
            `${JSON.stringify(part)} is not like ${name === CHANNEL ? 'push=30/1h' : 'NEW_FOLLOWER=10/24h'} or …=off (1 to ${most}, in 1h to 30d)`,
          );
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

/** The variables of the environment that limits of notifications are configured by. */
export const notificationLimitVariables = {
  NOTIFICATION_CHANNEL_LIMITS: table(CHANNEL, MAX_OF_A_USER).optional(),
  NOTIFICATION_TYPE_LIMITS: table(TYPE, MAX_OF_A_USER).optional(),
  NOTIFICATION_GLOBAL_LIMITS: table(CHANNEL, MAX_OF_ALL).optional(),
};

export const readNotificationLimits = (
  env: z.infer<z.ZodObject<typeof notificationLimitVariables>>,
): NotificationLimitsConfig => ({
  channels: env.NOTIFICATION_CHANNEL_LIMITS ?? {},
  types: env.NOTIFICATION_TYPE_LIMITS ?? {},
  global: env.NOTIFICATION_GLOBAL_LIMITS ?? {},
});
