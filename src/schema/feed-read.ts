import { ArgsType, Field, Float, ID, InputType, ObjectType, registerEnumType } from 'type-graphql';
import {
  type FeedEdge as EdgeRecord,
  FEED_ORDERS,
  type FeedPage,
  type FeedOrder as Order,
  type Post as PostRecord,
  type FeedReason as ReasonRecord,
} from '../domains/feed/index.js';
import { Post } from './feed.js';
import { sameNames } from './notification-enums.js';
import { PageInfo, PagingArgs } from './relay.js';
import { DateTime } from './scalars.js';
import { UserError } from './user-error.js';

export const FeedOrder = sameNames(FEED_ORDERS);
registerEnumType(FeedOrder, {
  name: 'FeedOrder',
  description: 'RANKED: best first inside each window of at most 100 candidates. LATEST: newest first.',
});
export const FeedSource = sameNames(['FANOUT', 'CELEBRITY', 'DATABASE', 'OWN', 'SPONSORED']);
registerEnumType(FeedSource, {
  name: 'FeedSource',
  description:
    'FANOUT: pushed when it was published. CELEBRITY: pulled now. DATABASE: older than the cache. OWN, SPONSORED.',
});

@ObjectType({ simpleResolvers: true })
export class ScoreTerm {
  @Field()
  name: string;
  @Field(() => Float)
  weight: number;
  @Field(() => Float)
  value: number;
}

@ObjectType({ simpleResolvers: true })
export class FeedReason {
  @Field(() => FeedSource)
  source: ReasonRecord['source'];
  @Field(() => Float, { description: 'The sum of weight · value over `terms`.' })
  score: number;
  @Field(() => [ScoreTerm])
  terms: readonly ScoreTerm[];
}

@ObjectType({ simpleResolvers: true })
export class FeedEdge {
  @Field({ description: 'A sponsored post has that of the edge before it.' })
  cursor: string;
  @Field(() => Post)
  node: PostRecord;
  @Field()
  isSponsored: boolean;
  @Field(() => FeedReason, { description: 'Why this post is here, and why in this place.' })
  why: ReasonRecord;
}

/** The marker's fields stand in the resolver: who does not ask for them does not wait for them. */
@ObjectType({ simpleResolvers: true })
export class FeedConnection {
  @Field(() => [FeedEdge])
  edges: readonly EdgeRecord[];
  @Field(() => PageInfo)
  pageInfo: FeedPage['pageInfo'];
}

@ArgsType()
export class FeedArgs extends PagingArgs {
  @Field(() => FeedOrder, { defaultValue: FeedOrder.RANKED })
  order: Order;
}

@InputType()
export class SponsorPostInput {
  @Field(() => ID)
  postId: string;
  @Field(() => DateTime, { nullable: true, description: 'Absent: now.' })
  startsAt?: Date | null;
  @Field(() => DateTime, { nullable: true, description: 'Absent: until it is taken back.' })
  endsAt?: Date | null;
}

@ObjectType({ simpleResolvers: true })
export class SponsorPostPayload {
  @Field(() => Post, { nullable: true })
  post: PostRecord | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@InputType()
export class UnsponsorPostInput {
  @Field(() => ID)
  postId: string;
}

@ObjectType({ simpleResolvers: true })
export class UnsponsorPostPayload {
  @Field(() => Post, { nullable: true })
  post: PostRecord | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@InputType()
export class MarkFeedReadInput {
  @Field({ description: 'Of any edge of the feed, in either order.' })
  cursor: string;
}

@ObjectType({ simpleResolvers: true })
export class MarkFeedReadPayload {
  @Field(() => String, { nullable: true, description: 'Where the marker stands now.' })
  readMarker: string | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}
