// Generated from comments.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

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
    readonly comment_id: string;
    readonly post_id: string;
    readonly author_id: string;
    readonly content: string;
    readonly created_at: Date;
    readonly reply_to_id: string | null;
  }>;
  readonly pageOfPosts: Statement<{
    readonly of: string;
    readonly comment_id: string;
    readonly post_id: string;
    readonly author_id: string;
    readonly content: string;
    readonly created_at: Date;
    readonly reply_to_id: string | null;
  }>;
  readonly pageOfPostsBack: Statement<{
    readonly of: string;
    readonly comment_id: string;
    readonly post_id: string;
    readonly author_id: string;
    readonly content: string;
    readonly created_at: Date;
    readonly reply_to_id: string | null;
  }>;
  readonly pageOfComments: Statement<{
    readonly of: string;
    readonly comment_id: string;
    readonly post_id: string;
    readonly author_id: string;
    readonly content: string;
    readonly created_at: Date;
    readonly reply_to_id: string | null;
  }>;
  readonly pageOfCommentsBack: Statement<{
    readonly of: string;
    readonly comment_id: string;
    readonly post_id: string;
    readonly author_id: string;
    readonly content: string;
    readonly created_at: Date;
    readonly reply_to_id: string | null;
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
