import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { LinkPreview as LinkPreviewRecord, PostEdit as PostEditRecord } from '../domains/feed/index.js';
import { idempotencyKeyOf, Post, PostInput } from './feed.js';
import { Payload, payloadOf } from './payload.js';
import { DateTime, URLScalar } from './scalars.js';

@ObjectType({ simpleResolvers: true, description: 'A text that a post had before it was edited.' })
export class PostEdit implements Pick<PostEditRecord, 'editedAt'> {
  @Field(() => DateTime, { description: 'When another text took its place.' })
  editedAt: Date;
}

@ObjectType({ simpleResolvers: true, description: "What the page behind a post's link says of itself." })
export class LinkPreview implements LinkPreviewRecord {
  @Field(() => URLScalar, { description: 'The link, as it stands in the post.' })
  url: string;
  @Field(() => String, {
    nullable: true,
    description: 'The title, at most 300 characters. Null: it has none.',
  })
  title: string | null;
  @Field(() => URLScalar, {
    nullable: true,
    description: 'An https URL of its picture, on the server that the page names. Null: it has none.',
  })
  imageUrl: string | null;
}

@InputType()
export class EditPostInput extends PostInput {
  @Field({ description: 'The new text, at most 5,000 characters. May be empty where the post has media.' })
  content: string;
}

export const EditPostPayload = payloadOf('EditPost', { post: Post });

@InputType()
export class DeletePostInput extends PostInput {}

@ObjectType({ simpleResolvers: true })
export class DeletePostPayload extends Payload {
  @Field(() => ID, {
    nullable: true,
    description: 'The raw id of the deleted post. Null where it was refused.',
  })
  deletedPostId: string | null;
  @Field(() => ID, {
    nullable: true,
    description: 'The global id of the deleted post, by which a cache removes it. Null where it was refused.',
  })
  deletedId: string | null;
}

@InputType()
export class SharePostInput extends PostInput {
  @Field(() => String, {
    nullable: true,
    description: 'What the caller says about the post. Absent: nothing.',
  })
  content?: string | null;
  @Field(() => String, idempotencyKeyOf('post'))
  idempotencyKey?: string | null;
}

export const SharePostPayload = payloadOf('SharePost', { post: Post });
