// Generated from audience.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly page: Statement<{
    readonly userIds: string[];
    readonly last: string | null;
    readonly looked: number;
  }>;
  readonly narrowed: Statement<{
    readonly userIds: string[];
    readonly found: number;
  }>;
  readonly boundStatements: Statement<{
    readonly set_config: string | null;
  }>;
  readonly size: Statement<{
    readonly blocks: number;
    readonly countedRows: number;
    readonly countedBlocks: number;
  }>;
  readonly sampled: Statement<{
    readonly looked: number;
    readonly matching: number;
    readonly sample: string[];
  }>;
}>(new URL('./audience.sql', import.meta.url));
