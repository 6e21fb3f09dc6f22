import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type {
  Comment as CommentRecord,
  Post as PostRecord,
  ReactionKind as ReactionKindName,
} from '../domains/feed/index.js';
import { connectionOf, edgeOf, pageOf } from './connections.js';
import { enumOf } from './enums.js';
import { idempotencyKeyOf, Post, PostInput, User } from './feed.js';
import { Payload, payloadOf } from './payload.js';
import { Node, PagingArgs } from './relay.js';
import { DateTime } from './scalars.js';

export const ReactionKind = enumOf<ReactionKindName>('ReactionKind', 'The kinds of reaction to a post.', {
  LIKE: 'A like.',
  LOVE: 'Love.',
  HAHA: 'Laughter.',
  WOW: 'Surprise.',
  SAD: 'Sadness.',
  ANGRY: 'Anger.',
});

@ObjectType({ simpleResolvers: true, description: 'How often one kind of reaction was used.' })
export class ReactionCount {
  @Field(() => ReactionKind, { description: 'The kind.' })
  kind: ReactionKindName;
  @Field(() => Int, { description: 'How many users have this reaction to the post now.' })
  count: number;
}

@ObjectType({ simpleResolvers: true })
class ReactionEdge extends edgeOf(User, 'The user who reacted.') {
  @Field(() => ReactionKind, { description: 'How this user reacted.' })
  kind: ReactionKindName;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'A page of the users who reacted to a post, newest first. There is no `totalCount`: `reactionCounts` of the post has the numbers.',
})
export class ReactionConnection extends pageOf(ReactionEdge) {}

@ArgsType()
export class ReactionsArgs extends PagingArgs {
  @Field(() => ReactionKind, {
    nullable: true,
    description: 'Only this kind of reaction. Absent: every kind.',
  })
  kind?: ReactionKindName | null;
}

@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A comment on a post, or an answer to another comment.',
})
export class Comment extends Node implements Omit<CommentRecord, 'authorId'> {
  @Field(() => ID)
  commentId: string;
  @Field(() => ID)
  postId: string;
  @Field({ description: 'The text, at most 2,000 characters.' })
  content: string;
  @Field(() => DateTime, { description: 'When it was written.' })
  createdAt: Date;
  @Field(() => ID, {
    nullable: true,
    description: 'The raw id of the comment that this one answers. Null where it answers the post.',
  })
  replyToId: string | null;
}

/** `totalCount` is in the resolver: counted only where it is selected. */
export const CommentConnection = connectionOf('Comment', Comment, 'A page of comments, oldest first.');

@InputType()
export class LikePostInput extends PostInput {}

@InputType()
export class UnlikePostInput extends PostInput {}

@InputType()
export class ReactToPostInput extends PostInput {
  @Field(() => ReactionKind, { description: 'How the caller reacts.' })
  kind: ReactionKindName;
}

@InputType()
export class RemoveReactionInput extends PostInput {}

@InputType()
export class AddCommentInput extends PostInput {
  @Field({ description: '1 to 2,000 characters.' })
  content: string;
  @Field(() => ID, {
    nullable: true,
    description:
      'The comment on the same post that is answered, by its raw id or its global id. Absent: the post itself is answered.',
  })
  replyToId?: string | null;
  @Field(() => String, idempotencyKeyOf('comment'))
  idempotencyKey?: string | null;
}

@InputType()
export class DeleteCommentInput {
  @Field(() => ID)
  commentId: string;
}

export const LikePostPayload = payloadOf('LikePost', { post: Post });

export const UnlikePostPayload = payloadOf('UnlikePost', { post: Post });

export const ReactToPostPayload = payloadOf('ReactToPost', { post: Post });

export const RemoveReactionPayload = payloadOf('RemoveReaction', { post: Post });

export const AddCommentPayload = payloadOf('AddComment', { comment: Comment, post: Post });

@ObjectType({ simpleResolvers: true })
export class DeleteCommentPayload extends Payload {
  @Field(() => ID, {
    nullable: true,
    description: 'The raw id of the deleted comment. Null where it was refused.',
  })
  deletedCommentId: string | null;
  @Field(() => ID, {
    nullable: true,
    description:
      'The global id of the deleted comment, by which a cache removes it. Null where it was refused.',
  })
  deletedId: string | null;
  @Field(() => Post, { nullable: true })
  post: PostRecord | null;
}
