import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { PostEdit as PostEditRecord, Post as PostRecord } from '../domains/feed/index.js';
import { Post } from './feed.js';
import { DateTime } from './scalars.js';
import { UserError } from './user-error.js';

@ObjectType({ simpleResolvers: true, description: 'What a post said before.' })
export class PostEdit implements PostEditRecord {
  @Field()
  content: string;
  @Field(() => DateTime, { description: 'When it came to say something else.' })
  editedAt: Date;
}

@InputType()
export class EditPostInput {
  @Field(() => ID)
  postId: string;
  @Field()
  content: string;
}

@ObjectType({ simpleResolvers: true })
export class EditPostPayload {
  @Field(() => Post, { nullable: true })
  post: PostRecord | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@InputType()
export class DeletePostInput {
  @Field(() => ID)
  postId: string;
}

@ObjectType({ simpleResolvers: true })
export class DeletePostPayload {
  @Field(() => ID, { nullable: true })
  deletedPostId: string | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@InputType()
export class SharePostInput {
  @Field(() => ID)
  postId: string;
  @Field(() => String, { nullable: true, description: 'What the sharer says to it, if anything.' })
  content?: string | null;
  @Field(() => String, { nullable: true, description: 'The same key within 24 h answers the same post.' })
  idempotencyKey?: string | null;
}

@ObjectType({ simpleResolvers: true })
export class SharePostPayload {
  @Field(() => Post, { nullable: true })
  post: PostRecord | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}
