import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { Media as MediaRecord } from '../domains/feed/index.js';
import { lowerCaseEnumOf } from './enums.js';
import { Node } from './relay.js';
import { URLScalar } from './scalars.js';

export const MediaKind = lowerCaseEnumOf<MediaRecord['kind']>('MediaKind', 'What kind of file it is.', {
  IMAGE: 'An image.',
  VIDEO: 'A video.',
});

export const MediaState = lowerCaseEnumOf<MediaRecord['state']>(
  'MediaState',
  'How far the processing of an upload is.',
  {
    UPLOADED: 'It was received and waits to be processed.',
    PROCESSING: 'Its renditions are being made.',
    READY: 'It can be shown.',
    FAILED: 'It could not be processed; `failureReason` says why.',
  },
);

@ObjectType({ simpleResolvers: true, description: 'One size or format of an image or a video.' })
export class MediaRendition {
  @Field({ description: 'Which rendition it is: `full`, `thumbnail`, or its size.' })
  name: string;
  @Field(() => Int, { nullable: true, description: 'In pixels. Null where it is not known.' })
  width: number | null;
  @Field(() => Int, { nullable: true, description: 'In pixels. Null where it is not known.' })
  height: number | null;
  @Field(() => URLScalar, { description: 'Where it can be loaded from.' })
  url: string;
}

@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'An image or a video that a user uploaded.',
})
export class Media extends Node implements MediaRecord {
  @Field(() => ID)
  mediaId: string;
  @Field(() => MediaKind, { description: 'Whether it is an image or a video.' })
  kind: MediaRecord['kind'];
  @Field(() => MediaState, { description: 'How far its processing is.' })
  state: MediaRecord['state'];
  @Field(() => URLScalar, {
    nullable: true,
    description: 'Where its main rendition can be loaded from. Null until it is ready.',
  })
  url: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Why it could not be processed. Null where it could, or is not yet.',
  })
  failureReason: string | null;
  @Field(() => [MediaRendition], {
    description: 'All sizes and formats, smallest first. Empty until it is ready.',
  })
  renditions: readonly MediaRendition[];
}
