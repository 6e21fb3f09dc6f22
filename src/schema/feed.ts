import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Media as MediaRecord, Post as PostRecord, User as UserRecord } from '../domains/feed/index.js';
import { Media } from './feed-media.js';
import { Node, PageInfo } from './relay.js';
import { DateTime, URLScalar } from './scalars.js';
import { UserError } from './user-error.js';

export enum Visibility {
  PUBLIC = 'public',
  FOLLOWERS = 'followers',
  PRIVATE = 'private',
}
registerEnumType(Visibility, { name: 'Visibility' });

/** Fields that need the viewer or a page stand in the resolver. */
@ObjectType({ implements: Node, simpleResolvers: true })
export class User extends Node implements Omit<UserRecord, 'id'> {
  @Field(() => ID)
  userId: string;
  @Field()
  displayName: string;
  @Field(() => URLScalar, { nullable: true })
  avatarUrl: string | null;
  @Field()
  isVerified: boolean;
  @Field()
  isCelebrity: boolean;
  @Field(() => Int)
  followerCount: number;
  @Field(() => Int)
  followingCount: number;
}

@ObjectType({ simpleResolvers: true })
export class UserEdge {
  @Field()
  cursor: string;
  @Field(() => User)
  node: UserRecord;
}

@ObjectType({ simpleResolvers: true })
export class UserConnection {
  @Field(() => [UserEdge])
  edges: UserEdge[];
  @Field(() => PageInfo)
  pageInfo: PageInfo;
  @Field(() => Int)
  totalCount: number;
}

@ObjectType({ implements: Node, simpleResolvers: true })
export class Post extends Node implements Pick<PostRecord, 'postId' | 'content'> {
  @Field(() => ID)
  postId: string;
  @Field(() => User)
  author: UserRecord;
  @Field()
  content: string;
  @Field(() => [Media])
  media: readonly MediaRecord[];
  @Field(() => [URLScalar], { description: 'Of those media that are ready.' })
  mediaUrls: readonly string[];
  @Field(() => Visibility)
  visibility: `${Visibility}`;
  @Field(() => DateTime)
  createdAt: Date;
  @Field(() => DateTime, { nullable: true })
  editedAt: Date | null;
  @Field(() => Int)
  likeCount: number;
  @Field(() => Int)
  commentCount: number;
  @Field(() => Int)
  shareCount: number;
}

@ObjectType({ simpleResolvers: true })
export class PostEdge {
  @Field()
  cursor: string;
  @Field(() => Post)
  node: PostRecord;
}

@ObjectType({ simpleResolvers: true })
export class PostConnection {
  @Field(() => [PostEdge])
  edges: PostEdge[];
  @Field(() => PageInfo)
  pageInfo: PageInfo;
}

@ObjectType({ simpleResolvers: true })
export class FeedUpdate {
  @Field()
  cursor: string;
  @Field(() => ID)
  userId: string;
  @Field(() => ID)
  postId: string;
  @Field(() => ID)
  authorId: string;
  @Field(() => DateTime)
  createdAt: Date;
}

@InputType()
export class UpsertProfileInput {
  @Field()
  displayName: string;
  @Field(() => URLScalar, { nullable: true })
  avatarUrl?: URL | null;
}

@ObjectType({ simpleResolvers: true })
export class UpsertProfilePayload {
  @Field(() => User, { nullable: true })
  user: UserRecord | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@InputType()
export class PublishPostInput {
  @Field()
  content: string;
  @Field(() => [ID], { nullable: true, description: 'Uploaded before, by POST /api/v1/media; at most 10.' })
  mediaIds?: string[] | null;
  @Field(() => Visibility, { defaultValue: Visibility.PUBLIC })
  visibility: Visibility;
  @Field(() => String, { nullable: true, description: 'The same key within 24 h answers the same post.' })
  idempotencyKey?: string | null;
}

@ObjectType({ simpleResolvers: true })
export class PublishPostPayload {
  @Field(() => Post, { nullable: true })
  post: PostRecord | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}
