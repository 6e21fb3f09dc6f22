import { z } from 'zod';
import { defined } from './defined.js';

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

export const notificationVariables = {
  TRACK_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  QUIET_HOURS: quietHours.optional(),
  // Ids are remembered for a day: what they stand for must be there for longer.
  RETENTION_DAYS: z.coerce.number().int().min(2).max(3_650).default(90),
  INBOX_RETENTION_DAYS: z.coerce.number().int().min(2).max(3_650).default(365),
};

/** After how many days what is over is deleted. */
export interface RetentionConfig {
  /** Requests with their deliveries and history, settled dead letters, resolved alerts. */
  readonly days: number;
  /** Items of in-app inboxes. */
  readonly inboxDays: number;
}

export interface NotificationsConfig {
  readonly retention: RetentionConfig;
  /** What quiet hours do, for types that differ from the default. */
  readonly quietHours: Readonly<Record<string, QuietHoursRule>>;
  /** Signs the links in mails; undefined where neither TRACK_SECRET nor AUTH_SECRET is set: mails are not tracked. */
  readonly trackSecret?: string;
}

/** @param secret signs links unless a variable of their own says so */
export const readNotifications = (
  e: z.infer<z.ZodObject<typeof notificationVariables>>,
  secret: string | undefined,
): NotificationsConfig => ({
  quietHours: e.QUIET_HOURS ?? {},
  retention: { days: e.RETENTION_DAYS, inboxDays: e.INBOX_RETENTION_DAYS },
  ...defined({ trackSecret: e.TRACK_SECRET ?? secret }),
});
