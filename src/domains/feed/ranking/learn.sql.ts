// Generated from learn.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly sample: Statement<{
    readonly postId: string;
    readonly authorId: string;
    readonly views: number;
    readonly like: number;
    readonly comment: number;
    readonly share: number;
    readonly click: number;
    readonly hide: number;
  }>;
  readonly typesOf: Statement<{
    readonly postId: string;
    readonly type: import('./predictor.js').ContentType;
  }>;
  readonly authorsOf: Statement<{
    readonly authorId: string;
    readonly userId: string;
  }>;
  readonly saveModel: Statement<Record<never, never>>;
  readonly newestModel: Statement<{
    readonly weights: unknown;
  }>;
}>(new URL('./learn.sql', import.meta.url));
