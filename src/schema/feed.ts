import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { Media as MediaRecord, Post as PostRecord, User as UserRecord } from '../domains/feed/index.js';
import { connectionOf } from './connections.js';
import { lowerCaseEnumOf } from './enums.js';
import { Media } from './feed-media.js';
import { payloadOf } from './payload.js';
import { Node } from './relay.js';
import { DateTime, URLScalar } from './scalars.js';

export const Visibility = lowerCaseEnumOf<PostRecord['visibility']>('Visibility', 'Who may see a post.', {
  PUBLIC: 'Everybody.',
  FOLLOWERS: 'The author and their followers.',
  PRIVATE: 'The author alone.',
});

/** Fields that need the viewer or a page stand in the resolver. */
@ObjectType({ implements: Node, simpleResolvers: true, description: 'A person who uses the product.' })
export class User extends Node implements Omit<UserRecord, 'id'> {
  @Field(() => ID)
  userId: string;
  @Field({ description: 'The name to show: 1 to 100 characters.' })
  displayName: string;
  @Field(() => URLScalar, {
    nullable: true,
    description: 'Where their picture can be loaded from. Null where they have none.',
  })
  avatarUrl: string | null;
  @Field({ description: 'Whether an admin has said that they are who they say they are.' })
  isVerified: boolean;
  @Field({
    description:
      'Whether they have so many followers that their posts are read when a feed is, instead of being pushed to it.',
  })
  isCelebrity: boolean;
  @Field(() => Int, { description: 'How many users follow them.' })
  followerCount: number;
  @Field(() => Int, { description: 'How many users they follow.' })
  followingCount: number;
}

/** `totalCount` is in the resolver: counted only where it is selected. */
export const UserConnection = connectionOf('User', User, 'A page of users.');

@ObjectType({ implements: Node, simpleResolvers: true, description: 'Something that a user published.' })
export class Post extends Node implements Pick<PostRecord, 'postId' | 'content'> {
  @Field(() => ID)
  postId: string;
  @Field(() => User, { description: 'Who wrote it.' })
  author: UserRecord;
  @Field({
    description:
      'The text, at most 5,000 characters. Empty where the post is only media or only shares another one.',
  })
  content: string;
  @Field(() => [Media], {
    description: 'Its images and videos, at most 10, those that are not ready yet included.',
  })
  media: readonly MediaRecord[];
  @Field(() => [URLScalar], { description: 'The URLs of those of its media that are ready.' })
  mediaUrls: readonly string[];
  @Field(() => Visibility, { description: 'Who may see it.' })
  visibility: PostRecord['visibility'];
  @Field(() => DateTime, { description: 'When it was published.' })
  createdAt: Date;
  @Field(() => DateTime, {
    nullable: true,
    description: 'When its text was changed last. Null where it never was.',
  })
  editedAt: Date | null;
  @Field(() => Int, { description: 'How many users react with LIKE.' })
  likeCount: number;
  @Field(() => Int, { description: 'How many comments it has, answers to comments included.' })
  commentCount: number;
  @Field(() => Int, { description: 'How often it was shared.' })
  shareCount: number;
}

export const PostConnection = connectionOf(
  'Post',
  Post,
  'A page of posts. There is no `totalCount`: what the viewer may see is decided post by post.',
);

@ObjectType({ simpleResolvers: true, description: "A post has come to the viewer's feed." })
export class FeedUpdate {
  @Field({ description: 'Pass it as `after` to go on after this update.' })
  cursor: string;
  @Field(() => ID, { description: 'The raw id of the user whose feed it is.' })
  userId: string;
  @Field(() => ID, { description: 'The raw id of the post.' })
  postId: string;
  @Field(() => ID, { description: 'The raw id of its author.' })
  authorId: string;
  @Field(() => DateTime, { description: 'When the post was published.' })
  createdAt: Date;
}

@InputType()
export class UpsertProfileInput {
  @Field({ description: 'The name to show: 1 to 100 characters without control characters.' })
  displayName: string;
  @Field(() => URLScalar, {
    nullable: true,
    description:
      'Where the picture can be loaded from: an http or https URL of at most 2,048 characters. Absent: as before. Null: no picture.',
  })
  avatarUrl?: URL | null;
}

export const UpsertProfilePayload = payloadOf('UpsertProfile', { user: User });

/** What is about one post. */
@InputType()
export abstract class PostInput {
  @Field(() => ID)
  postId: string;
}

/** The options of `idempotencyKey` of what writes such an object. */
export const idempotencyKeyOf = (written: string) => ({
  nullable: true,
  description: `1 to 128 characters that the caller makes up. The same key within 24 hours answers the same ${written} and writes none.`,
});

@InputType()
export class PublishPostInput {
  @Field({ description: 'The text, at most 5,000 characters. May be empty where there are media.' })
  content: string;
  @Field(() => [ID], {
    nullable: true,
    description:
      'At most 10 media that the caller uploaded with POST /api/v1/media, each by its raw id or its global id.',
  })
  mediaIds?: string[] | null;
  @Field(() => Visibility, { defaultValue: Visibility.PUBLIC, description: 'Who may see the post.' })
  visibility: PostRecord['visibility'];
  @Field(() => String, idempotencyKeyOf('post'))
  idempotencyKey?: string | null;
}

export const PublishPostPayload = payloadOf('PublishPost', { post: Post });
