// Generated from relay.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly active: Statement<{
    readonly webhookId: string;
    readonly isPaused: boolean;
  }>;
  readonly due: Statement<{
    readonly webhookId: string;
  }>;
  readonly receiver: Statement<{
    readonly webhookId: string;
    readonly url: string;
    readonly secret: Buffer;
    readonly formerSecret: Buffer | null;
    readonly pauses: number;
    readonly activeSince: Date;
    readonly failingSince: Date | null;
  }>;
  readonly failureState: Statement<{
    readonly pauses: number;
    readonly failingSince: Date | null;
  }>;
  readonly claim: Statement<{
    readonly subject: string;
    readonly additions: number;
    readonly attempts: number;
    readonly failingSince: Date | null;
  }>;
  readonly waiting: Statement<{
    readonly subject: string;
    readonly deliveryId: string;
    readonly eventType: string;
    readonly data: unknown;
    readonly happenedAt: Date;
  }>;
  readonly record: Statement<Record<never, never>>;
  readonly settle: Statement<Record<never, never>>;
  readonly pause: Statement<Record<never, never>>;
  readonly goOn: Statement<Record<never, never>>;
}>(new URL('./relay.sql', import.meta.url));
