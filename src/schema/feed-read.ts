import { ArgsType, Field, Float, InputType, ObjectType } from 'type-graphql';
import type { FeedPage, FeedOrder as Order, FeedReason as ReasonRecord } from '../domains/feed/index.js';
import { edgeOf, pageOf } from './connections.js';
import { enumOf } from './enums.js';
import { Post, PostInput } from './feed.js';
import { Payload, payloadOf } from './payload.js';
import { PagingArgs } from './relay.js';
import { DateTime } from './scalars.js';

export const FeedOrder = enumOf<Order>('FeedOrder', 'In which order a feed is read.', {
  RANKED: 'Best first inside each window of at most 100 candidates. Reads forward only.',
  LATEST: 'Newest first.',
});

export const FeedSource = enumOf<ReasonRecord['source']>('FeedSource', 'How a post came to the page.', {
  FANOUT: "It was pushed to the viewer's feed when it was published.",
  CELEBRITY: 'It was read from the timeline of an author with many followers just now.',
  DATABASE: 'It is older than the cached part of the feed.',
  OWN: 'The viewer wrote it.',
  SPONSORED: 'Somebody pays for its place.',
});

@ObjectType({ simpleResolvers: true, description: "One part of a post's score." })
export class ScoreTerm {
  @Field({ description: 'What it measures; docs/feed/ranking.md explains each name.' })
  name: string;
  @Field(() => Float, { description: 'How much it counts.' })
  weight: number;
  @Field(() => Float, { description: 'What was measured.' })
  value: number;
}

@ObjectType({ simpleResolvers: true, description: 'Why a post is in the feed, and why in this place.' })
export class FeedReason {
  @Field(() => FeedSource, { description: 'How the post came to the page.' })
  source: ReasonRecord['source'];
  @Field(() => Float, {
    description: 'The sum of `weight` times `value` over `terms`. Posts of a window are ordered by it.',
  })
  score: number;
  @Field(() => [ScoreTerm], { description: 'The parts of the score.' })
  terms: readonly ScoreTerm[];
}

@ObjectType({ simpleResolvers: true })
class FeedEdge extends edgeOf(Post, 'The post.') {
  @Field({
    description:
      'The place of this item: pass it as `after` or `before` to go on from here. Opaque. Every item has its own, sponsored ones too.',
  })
  override cursor: string;
  @Field({ description: 'Whether somebody pays for its place.' })
  isSponsored: boolean;
  @Field(() => FeedReason, { description: 'Why this post is here, and why in this place.' })
  why: ReasonRecord;
}

/** The marker's fields stand in the resolver: who does not ask for them does not wait for them. */
@ObjectType({
  simpleResolvers: true,
  description: "A page of the viewer's feed. There is no `totalCount`: a feed is put together page by page.",
})
export class FeedConnection extends pageOf(FeedEdge) {
  /** Whose feed it is; absent for the caller's own. */
  readonly readerId?: string;
  @Field(() => String, {
    nullable: true,
    description:
      "Pass it as `after` to `feedUpdated`: whatever is published after this page was read comes as an update, even where the connection opens later or breaks before its first update. A post of the page may come once more where it was just published. Ask for it with the first page only: it costs a query of its own. Null for another user's feed, and, with an error, where the database is away.",
  })
  liveCursor?: FeedPage['liveCursor'];
}

@ArgsType()
export class FeedArgs extends PagingArgs {
  @Field(() => FeedOrder, { defaultValue: FeedOrder.RANKED, description: 'In which order.' })
  order: Order;
}

@ObjectType({ simpleResolvers: true })
class SponsoredPostEdge extends edgeOf(Post, 'The sponsored post.') {
  @Field(() => DateTime, { description: 'From when on the post is shown as sponsored.' })
  startsAt: Date;
  @Field(() => DateTime, {
    nullable: true,
    description: 'Until when. Null: until it is taken back with `unsponsorPost`.',
  })
  endsAt: Date | null;
}

/** `totalCount` is in the resolver: counted only where it is selected. */
@ObjectType({
  simpleResolvers: true,
  description: 'A page of the sponsored posts, those that start last first.',
})
export class SponsoredPostConnection extends pageOf(SponsoredPostEdge) {}

@InputType()
export class SponsorPostInput extends PostInput {
  @Field(() => DateTime, {
    nullable: true,
    description: 'When the post begins to be shown as sponsored. Null: now. Absent: as before, or now.',
  })
  startsAt?: Date | null;
  @Field(() => DateTime, {
    nullable: true,
    description:
      'When it ends. Null: when it is taken back with `unsponsorPost`. Absent: as before, or as null.',
  })
  endsAt?: Date | null;
}

export const SponsorPostPayload = payloadOf('SponsorPost', { post: Post });

@InputType()
export class UnsponsorPostInput extends PostInput {}

export const UnsponsorPostPayload = payloadOf('UnsponsorPost', { post: Post });

@InputType()
export class MarkFeedReadInput {
  @Field({ description: 'The cursor of any edge of the feed, in either order.' })
  cursor: string;
}

@ObjectType({ simpleResolvers: true })
export class MarkFeedReadPayload extends Payload {
  @Field(() => String, {
    nullable: true,
    description: 'The cursor up to which the viewer has read now. Null where it was refused.',
  })
  readMarker: string | null;
}
