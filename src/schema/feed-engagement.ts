import { ArgsType, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type {
  Comment as CommentRecord,
  Post as PostRecord,
  ReactionKind as ReactionKindName,
  User as UserRecord,
} from '../domains/feed/index.js';
import { REACTION_KINDS } from '../domains/feed/index.js';
import { Post, User } from './feed.js';
import { sameNames } from './notification-enums.js';
import { Node, PageInfo, PagingArgs } from './relay.js';
import { DateTime } from './scalars.js';
import { UserError } from './user-error.js';

export const ReactionKind = sameNames(REACTION_KINDS);
registerEnumType(ReactionKind, { name: 'ReactionKind' });

@ObjectType({ simpleResolvers: true })
export class ReactionCount {
  @Field(() => ReactionKind)
  kind: ReactionKindName;
  @Field(() => Int)
  count: number;
}

@ObjectType({ simpleResolvers: true })
export class ReactionEdge {
  @Field()
  cursor: string;
  @Field(() => ReactionKind)
  kind: ReactionKindName;
  @Field(() => User)
  node: UserRecord;
}

@ObjectType({ simpleResolvers: true })
export class ReactionConnection {
  @Field(() => [ReactionEdge])
  edges: readonly ReactionEdge[];
  @Field(() => PageInfo)
  pageInfo: PageInfo;
}

@ArgsType()
export class ReactionsArgs extends PagingArgs {
  @Field(() => ReactionKind, { nullable: true })
  kind?: ReactionKindName | null;
}

@ObjectType({ implements: Node, simpleResolvers: true })
export class Comment extends Node implements Omit<CommentRecord, 'authorId'> {
  @Field(() => ID)
  commentId: string;
  @Field(() => ID)
  postId: string;
  @Field()
  content: string;
  @Field(() => DateTime)
  createdAt: Date;
  @Field(() => ID, { nullable: true, description: 'The comment that this one answers.' })
  replyToId: string | null;
}

@ObjectType({ simpleResolvers: true })
export class CommentEdge {
  @Field()
  cursor: string;
  @Field(() => Comment)
  node: CommentRecord;
}

/** Its total stands in the resolver: counted only for whoever asks. */
@ObjectType({ simpleResolvers: true })
export class CommentConnection {
  @Field(() => [CommentEdge])
  edges: readonly CommentEdge[];
  @Field(() => PageInfo)
  pageInfo: PageInfo;
}

@InputType()
export class LikePostInput {
  @Field(() => ID)
  postId: string;
}

@InputType()
export class UnlikePostInput {
  @Field(() => ID)
  postId: string;
}

@InputType()
export class ReactToPostInput {
  @Field(() => ID)
  postId: string;
  @Field(() => ReactionKind)
  kind: ReactionKindName;
}

@InputType()
export class RemoveReactionInput {
  @Field(() => ID)
  postId: string;
}

@InputType()
export class AddCommentInput {
  @Field(() => ID)
  postId: string;
  @Field({ description: '1 to 2,000 characters.' })
  content: string;
  @Field(() => ID, { nullable: true, description: 'A comment on the same post.' })
  replyToId?: string | null;
  @Field(() => String, { nullable: true, description: 'The same key within 24 h answers the same comment.' })
  idempotencyKey?: string | null;
}

@InputType()
export class DeleteCommentInput {
  @Field(() => ID)
  commentId: string;
}

@ObjectType({ simpleResolvers: true })
export class LikePostPayload {
  @Field(() => Post, { nullable: true })
  post: PostRecord | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@ObjectType({ simpleResolvers: true })
export class UnlikePostPayload {
  @Field(() => Post, { nullable: true })
  post: PostRecord | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@ObjectType({ simpleResolvers: true })
export class ReactToPostPayload {
  @Field(() => Post, { nullable: true })
  post: PostRecord | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@ObjectType({ simpleResolvers: true })
export class RemoveReactionPayload {
  @Field(() => Post, { nullable: true })
  post: PostRecord | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@ObjectType({ simpleResolvers: true })
export class AddCommentPayload {
  @Field(() => Comment, { nullable: true })
  comment: CommentRecord | null;
  @Field(() => Post, { nullable: true })
  post: PostRecord | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@ObjectType({ simpleResolvers: true })
export class DeleteCommentPayload {
  @Field(() => ID, { nullable: true })
  deletedCommentId: string | null;
  @Field(() => Post, { nullable: true })
  post: PostRecord | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}
