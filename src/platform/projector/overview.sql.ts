// Generated from overview.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly listProjectors: Statement<{
    readonly name: string;
    readonly state: (typeof import('./overview.js').projectorStates)[number];
    readonly lastPosition: number;
    readonly headPosition: number;
    readonly lagEvents: number;
    readonly lagMs: number;
    readonly lastError: string | null;
    readonly updatedAt: Date;
    readonly rebuiltAt: Date | null;
    readonly rebuildable: boolean;
    readonly rebuildRequestedAt: Date | null;
    readonly rebuildRequestedBy: string | null;
    readonly rebuildStartedAt: Date | null;
    readonly rebuildPosition: number | null;
  }>;
  readonly requestRebuild: Statement<Record<never, never>>;
  readonly forgetProjector: Statement<{
    readonly name: string;
  }>;
}>(new URL('./overview.sql', import.meta.url));
