// Generated from profiles.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly profiles: Statement<{
    readonly userId: string;
    readonly quietHoursStart: string | null;
    readonly quietHoursEnd: string | null;
    readonly timezone: string;
    readonly language: string | null;
    readonly marketingOptIn: boolean;
    readonly digestFrequency: import('../preferences/settings.js').DigestFrequency;
    readonly email: string | null;
    readonly phone: string | null;
    readonly declined: Readonly<Partial<Record<import('../channels.js').Channel, 'CHANNEL_DISABLED' | 'UNSUBSCRIBED'>>> | null;
    readonly declinedDigests: Readonly<Partial<Record<import('../channels.js').Channel, 'CHANNEL_DISABLED' | 'UNSUBSCRIBED'>>> | null;
    readonly hasDevice: boolean;
    readonly suppressions: Readonly<Partial<Record<import('../channels.js').Channel, import('../suppressions/cause.js').SuppressionCause>>> | null;
  }>;
}>(new URL('./profiles.sql', import.meta.url));
