import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Media as MediaRecord } from '../domains/feed/index.js';
import { Node } from './relay.js';
import { URLScalar } from './scalars.js';

export enum MediaKind {
  IMAGE = 'image',
  VIDEO = 'video',
}
registerEnumType(MediaKind, { name: 'MediaKind' });

export enum MediaState {
  UPLOADED = 'uploaded',
  PROCESSING = 'processing',
  READY = 'ready',
  FAILED = 'failed',
}
registerEnumType(MediaState, { name: 'MediaState' });

@ObjectType({ simpleResolvers: true })
export class MediaRendition {
  @Field()
  name: string;
  @Field(() => Int, { nullable: true })
  width: number | null;
  @Field(() => Int, { nullable: true })
  height: number | null;
  @Field(() => URLScalar)
  url: string;
}

/** Its id stands in the resolver. */
@ObjectType({ implements: Node, simpleResolvers: true })
export class Media extends Node implements MediaRecord {
  @Field(() => ID)
  mediaId: string;
  @Field(() => MediaKind)
  kind: `${MediaKind}`;
  @Field(() => MediaState)
  state: `${MediaState}`;
  @Field(() => URLScalar, { nullable: true, description: 'Null until it is ready.' })
  url: string | null;
  @Field(() => String, { nullable: true })
  failureReason: string | null;
  @Field(() => [MediaRendition], { description: 'Smallest first; none until all of them are ready.' })
  renditions: readonly MediaRendition[];
}
