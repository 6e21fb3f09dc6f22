// Generated from webhooks.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly byId: Statement<{
    readonly webhookId: string;
    readonly ownerId: string;
    readonly url: string;
    readonly eventTypes: string[];
    readonly notificationTypes: string[];
    readonly isActive: boolean;
    readonly disabledReason: string | null;
    readonly createdAt: Date;
  }>;
  readonly ofOwnerForward: Statement<{
    readonly webhookId: string;
    readonly ownerId: string;
    readonly url: string;
    readonly eventTypes: string[];
    readonly notificationTypes: string[];
    readonly isActive: boolean;
    readonly disabledReason: string | null;
    readonly createdAt: Date;
  }>;
  readonly ofOwnerBackward: Statement<{
    readonly webhookId: string;
    readonly ownerId: string;
    readonly url: string;
    readonly eventTypes: string[];
    readonly notificationTypes: string[];
    readonly isActive: boolean;
    readonly disabledReason: string | null;
    readonly createdAt: Date;
  }>;
  readonly allForward: Statement<{
    readonly webhookId: string;
    readonly ownerId: string;
    readonly url: string;
    readonly eventTypes: string[];
    readonly notificationTypes: string[];
    readonly isActive: boolean;
    readonly disabledReason: string | null;
    readonly createdAt: Date;
  }>;
  readonly allBackward: Statement<{
    readonly webhookId: string;
    readonly ownerId: string;
    readonly url: string;
    readonly eventTypes: string[];
    readonly notificationTypes: string[];
    readonly isActive: boolean;
    readonly disabledReason: string | null;
    readonly createdAt: Date;
  }>;
  readonly lockOwner: Statement<{
    readonly pg_advisory_xact_lock: string | null;
  }>;
  readonly add: Statement<{
    readonly webhookId: string;
    readonly ownerId: string;
    readonly url: string;
    readonly eventTypes: string[];
    readonly notificationTypes: string[];
    readonly isActive: boolean;
    readonly disabledReason: string | null;
    readonly createdAt: Date;
  }>;
  readonly change: Statement<{
    readonly webhookId: string;
    readonly ownerId: string;
    readonly url: string;
    readonly eventTypes: string[];
    readonly notificationTypes: string[];
    readonly isActive: boolean;
    readonly disabledReason: string | null;
    readonly createdAt: Date;
  }>;
  readonly wake: Statement<Record<never, never>>;
  readonly remove: Statement<{
    readonly webhookId: string;
  }>;
  readonly rotate: Statement<{
    readonly webhookId: string;
    readonly ownerId: string;
    readonly url: string;
    readonly eventTypes: string[];
    readonly notificationTypes: string[];
    readonly isActive: boolean;
    readonly disabledReason: string | null;
    readonly createdAt: Date;
  }>;
  readonly disable: Statement<{
    readonly webhookId: string;
    readonly ownerId: string;
    readonly url: string;
    readonly eventTypes: string[];
    readonly notificationTypes: string[];
    readonly isActive: boolean;
    readonly disabledReason: string | null;
    readonly createdAt: Date;
  }>;
  readonly isDisabled: Statement<{
    readonly webhookId: string;
  }>;
}>(new URL('./webhooks.sql', import.meta.url));
