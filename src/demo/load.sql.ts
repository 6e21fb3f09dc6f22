// Generated from load.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly lockLog: Statement<{
    readonly pg_advisory_xact_lock: string | null;
  }>;
  readonly readLog: Statement<{
    readonly loaded: boolean;
    readonly position: number;
    readonly at: number;
  }>;
  readonly findStreams: Statement<{
    readonly stream_id: string;
  }>;
  readonly findEdges: Statement<{
    readonly follower: string;
    readonly followee: string;
  }>;
  readonly stageUsers: Statement<Record<never, never>>;
  readonly copyUsers: Statement<Record<never, never>>;
  readonly mergeUsers: Statement<Record<never, never>>;
  readonly mergeCounts: Statement<Record<never, never>>;
  readonly readUserIds: Statement<{
    readonly id: number;
  }>;
  readonly trustReferences: Statement<{
    readonly set_config: string | null;
  }>;
  readonly copyFollows: Statement<Record<never, never>>;
  readonly copyPosts: Statement<Record<never, never>>;
  readonly copyEvents: Statement<Record<never, never>>;
  readonly passDemo: Statement<Record<never, never>>;
  readonly stageStock: Statement<Record<never, never>>;
  readonly copyStock: Statement<Record<never, never>>;
  readonly mergeStock: Statement<Record<never, never>>;
  readonly stageCredit: Statement<Record<never, never>>;
  readonly copyCredit: Statement<Record<never, never>>;
  readonly mergeCredit: Statement<Record<never, never>>;
  readonly forgetCreditTotals: Statement<Record<never, never>>;
  readonly stageSettings: Statement<Record<never, never>>;
  readonly copySettings: Statement<Record<never, never>>;
  readonly mergeSettings: Statement<Record<never, never>>;
  readonly stageSuppressions: Statement<Record<never, never>>;
  readonly copySuppressions: Statement<Record<never, never>>;
  readonly mergeSuppressions: Statement<Record<never, never>>;
  readonly stageDevices: Statement<Record<never, never>>;
  readonly copyDevices: Statement<Record<never, never>>;
  readonly mergeDevices: Statement<Record<never, never>>;
  readonly stageAttributeTypes: Statement<Record<never, never>>;
  readonly copyAttributeTypes: Statement<Record<never, never>>;
  readonly mergeAttributeTypes: Statement<Record<never, never>>;
  readonly stageAttributes: Statement<Record<never, never>>;
  readonly copyAttributes: Statement<Record<never, never>>;
  readonly mergeAttributes: Statement<Record<never, never>>;
  readonly stageTemplates: Statement<Record<never, never>>;
  readonly copyTemplates: Statement<Record<never, never>>;
  readonly mergeTemplates: Statement<Record<never, never>>;
  readonly addCampaigns: Statement<{
    readonly campaignId: string;
  }>;
  readonly copyWebhooks: Statement<Record<never, never>>;
  readonly copyWebhookDeliveries: Statement<Record<never, never>>;
  readonly copyWebhookBacklogs: Statement<Record<never, never>>;
  readonly acceptNotifications: Statement<{
    readonly accept_notifications: string | null;
  }>;
  readonly addDeadLetters: Statement<Record<never, never>>;
  readonly addAlerts: Statement<Record<never, never>>;
  readonly addSchedules: Statement<Record<never, never>>;
  readonly putReactions: Statement<Record<never, never>>;
  readonly analyze: Statement<Record<never, never>>;
}>(new URL('./load.sql', import.meta.url));
