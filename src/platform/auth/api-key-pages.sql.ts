// Generated from api-key-pages.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly forward: Statement<{
    readonly apiKeyId: string;
    readonly userId: string;
    readonly roles: string[];
    readonly plan: string;
    readonly name: string | null;
    readonly createdAt: Date;
    readonly createdBy: string | null;
    readonly lastUsedAt: Date | null;
    readonly revokedAt: Date | null;
    readonly revokedBy: string | null;
  }>;
  readonly backward: Statement<{
    readonly apiKeyId: string;
    readonly userId: string;
    readonly roles: string[];
    readonly plan: string;
    readonly name: string | null;
    readonly createdAt: Date;
    readonly createdBy: string | null;
    readonly lastUsedAt: Date | null;
    readonly revokedAt: Date | null;
    readonly revokedBy: string | null;
  }>;
  readonly ofUserForward: Statement<{
    readonly apiKeyId: string;
    readonly userId: string;
    readonly roles: string[];
    readonly plan: string;
    readonly name: string | null;
    readonly createdAt: Date;
    readonly createdBy: string | null;
    readonly lastUsedAt: Date | null;
    readonly revokedAt: Date | null;
    readonly revokedBy: string | null;
  }>;
  readonly ofUserBackward: Statement<{
    readonly apiKeyId: string;
    readonly userId: string;
    readonly roles: string[];
    readonly plan: string;
    readonly name: string | null;
    readonly createdAt: Date;
    readonly createdBy: string | null;
    readonly lastUsedAt: Date | null;
    readonly revokedAt: Date | null;
    readonly revokedBy: string | null;
  }>;
  readonly byId: Statement<{
    readonly apiKeyId: string;
    readonly userId: string;
    readonly roles: string[];
    readonly plan: string;
    readonly name: string | null;
    readonly createdAt: Date;
    readonly createdBy: string | null;
    readonly lastUsedAt: Date | null;
    readonly revokedAt: Date | null;
    readonly revokedBy: string | null;
  }>;
}>(new URL('./api-key-pages.sql', import.meta.url));
