// Generated from comments.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly findComment: Statement<{
    readonly postId: string;
  }>;
  readonly findReplies: Statement<{
    readonly commentId: string;
    readonly replyToId: string;
    readonly isAnswered: boolean;
  }>;
  readonly findVisible: Statement<{
    readonly commentId: string;
    readonly postId: string;
    readonly authorId: string;
    readonly content: string;
    readonly createdAt: Date;
    readonly replyToId: string | null;
  }>;
  readonly pageOfPosts: Statement<{
    readonly of: string;
    readonly commentId: string;
    readonly postId: string;
    readonly authorId: string;
    readonly content: string;
    readonly createdAt: Date;
    readonly replyToId: string | null;
  }>;
  readonly pageOfPostsBack: Statement<{
    readonly of: string;
    readonly commentId: string;
    readonly postId: string;
    readonly authorId: string;
    readonly content: string;
    readonly createdAt: Date;
    readonly replyToId: string | null;
  }>;
  readonly pageOfComments: Statement<{
    readonly of: string;
    readonly commentId: string;
    readonly postId: string;
    readonly authorId: string;
    readonly content: string;
    readonly createdAt: Date;
    readonly replyToId: string | null;
  }>;
  readonly pageOfCommentsBack: Statement<{
    readonly of: string;
    readonly commentId: string;
    readonly postId: string;
    readonly authorId: string;
    readonly content: string;
    readonly createdAt: Date;
    readonly replyToId: string | null;
  }>;
  readonly countOfPosts: Statement<{
    readonly of: string;
    readonly count: number;
    readonly looked: number;
  }>;
  readonly countOfComments: Statement<{
    readonly of: string;
    readonly count: number;
    readonly looked: number;
  }>;
  readonly allOfPost: Statement<Record<never, never>>;
  readonly allOfComment: Statement<Record<never, never>>;
}>(new URL('./comments.sql', import.meta.url));
