// Generated from api-keys.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly insertApiKey: Statement<Record<never, never>>;
  readonly findApiKey: Statement<{
    readonly hash: string;
    readonly userId: string;
    readonly roles: string[];
    readonly plan: string;
  }>;
  readonly listApiKeys: Statement<{
    readonly apiKeyId: string;
    readonly userId: string;
    readonly roles: readonly import('./auth.js').Role[];
    readonly plan: string;
    readonly createdAt: Date;
    readonly revokedAt: Date | null;
  }>;
  readonly revokeApiKey: Statement<{
    readonly api_key_id: string;
  }>;
  readonly noteUse: Statement<Record<never, never>>;
}>(new URL('./api-keys.sql', import.meta.url));
