// Generated from find.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly forward: Statement<{
    readonly templateId: string;
    readonly notificationType: string;
    readonly channel: string;
    readonly language: string;
    readonly version: number;
    readonly isActive: boolean;
    readonly subject: string | null;
    readonly title: string | null;
    readonly body: string;
    readonly htmlBody: string | null;
    readonly imageUrl: string | null;
    readonly actionUrl: string | null;
    readonly variables: unknown;
    readonly pushOptions: unknown;
    readonly syntax: string;
    readonly createdBy: string | null;
    readonly createdAt: Date;
    readonly updatedAt: Date;
  }>;
  readonly backward: Statement<{
    readonly templateId: string;
    readonly notificationType: string;
    readonly channel: string;
    readonly language: string;
    readonly version: number;
    readonly isActive: boolean;
    readonly subject: string | null;
    readonly title: string | null;
    readonly body: string;
    readonly htmlBody: string | null;
    readonly imageUrl: string | null;
    readonly actionUrl: string | null;
    readonly variables: unknown;
    readonly pushOptions: unknown;
    readonly syntax: string;
    readonly createdBy: string | null;
    readonly createdAt: Date;
    readonly updatedAt: Date;
  }>;
  readonly versions: Statement<{
    readonly templateId: string;
    readonly notificationType: string;
    readonly channel: string;
    readonly language: string;
    readonly version: number;
    readonly isActive: boolean;
    readonly subject: string | null;
    readonly title: string | null;
    readonly body: string;
    readonly htmlBody: string | null;
    readonly imageUrl: string | null;
    readonly actionUrl: string | null;
    readonly variables: unknown;
    readonly pushOptions: unknown;
    readonly syntax: string;
    readonly createdBy: string | null;
    readonly createdAt: Date;
    readonly updatedAt: Date;
  }>;
}>(new URL('./find.sql', import.meta.url));
