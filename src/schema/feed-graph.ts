import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { User as UserRecord } from '../domains/feed/index.js';
import { User } from './feed.js';
import { UserError } from './user-error.js';

@ObjectType({ simpleResolvers: true })
abstract class UserPayload {
  @Field(() => User, { nullable: true })
  user: UserRecord | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@InputType()
abstract class UserInput {
  @Field(() => ID)
  userId: string;
}

@InputType()
export class FollowUserInput extends UserInput {}
@ObjectType({ simpleResolvers: true })
export class FollowUserPayload extends UserPayload {}

@InputType()
export class UnfollowUserInput extends UserInput {}
@ObjectType({ simpleResolvers: true })
export class UnfollowUserPayload extends UserPayload {}

@InputType()
export class MuteUserInput extends UserInput {}
@ObjectType({ simpleResolvers: true })
export class MuteUserPayload extends UserPayload {}

@InputType()
export class UnmuteUserInput extends UserInput {}
@ObjectType({ simpleResolvers: true })
export class UnmuteUserPayload extends UserPayload {}

@InputType()
export class BlockUserInput extends UserInput {}
@ObjectType({ simpleResolvers: true })
export class BlockUserPayload extends UserPayload {}

@InputType()
export class UnblockUserInput extends UserInput {}
@ObjectType({ simpleResolvers: true })
export class UnblockUserPayload extends UserPayload {}

@InputType()
export class SetCloseFriendInput extends UserInput {
  @Field({ description: 'True: the caller is notified of each of their new posts. False: no longer.' })
  isCloseFriend: boolean;
}
@ObjectType({ simpleResolvers: true })
export class SetCloseFriendPayload extends UserPayload {}

@InputType()
export class SetVerifiedInput extends UserInput {
  @Field({ description: 'True: shown as `isVerified` everywhere. False: no longer.' })
  verified: boolean;
}
@ObjectType({ simpleResolvers: true })
export class SetVerifiedPayload extends UserPayload {}

@InputType()
export class SetMutedKeywordsInput {
  @Field(() => [String], {
    description:
      'All keywords that are muted from now on: at most 100, each of 1 to 100 characters. An empty list mutes none.',
  })
  keywords: string[];
}

@ObjectType({ simpleResolvers: true })
export class SetMutedKeywordsPayload {
  @Field(() => [String], {
    description: 'The keywords that are muted now. Where the change was refused: as before.',
  })
  keywords: readonly string[];
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}
