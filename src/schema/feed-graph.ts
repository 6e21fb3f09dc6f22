import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { User } from './feed.js';
import { Payload, payloadOf } from './payload.js';

@InputType()
abstract class UserInput {
  @Field(() => ID)
  userId: string;
}

@InputType()
export class FollowUserInput extends UserInput {}
export const FollowUserPayload = payloadOf('FollowUser', { user: User });

@InputType()
export class UnfollowUserInput extends UserInput {}
export const UnfollowUserPayload = payloadOf('UnfollowUser', { user: User });

@InputType()
export class MuteUserInput extends UserInput {}
export const MuteUserPayload = payloadOf('MuteUser', { user: User });

@InputType()
export class UnmuteUserInput extends UserInput {}
export const UnmuteUserPayload = payloadOf('UnmuteUser', { user: User });

@InputType()
export class BlockUserInput extends UserInput {}
export const BlockUserPayload = payloadOf('BlockUser', { user: User });

@InputType()
export class UnblockUserInput extends UserInput {}
export const UnblockUserPayload = payloadOf('UnblockUser', { user: User });

@InputType()
export class SetCloseFriendInput extends UserInput {
  @Field({ description: 'True: the caller is notified of each of their new posts. False: no longer.' })
  isCloseFriend: boolean;
}
export const SetCloseFriendPayload = payloadOf('SetCloseFriend', { user: User });

@InputType()
export class SetVerifiedInput extends UserInput {
  @Field({ description: 'True: shown as `isVerified` everywhere. False: no longer.' })
  verified: boolean;
}
export const SetVerifiedPayload = payloadOf('SetVerified', { user: User });

@InputType()
export class SetMutedKeywordsInput {
  @Field(() => [String], {
    description:
      'All keywords that are muted from now on: at most 100, each of 1 to 100 characters. An empty list mutes none.',
  })
  keywords: string[];
}

@ObjectType({ simpleResolvers: true })
export class SetMutedKeywordsPayload extends Payload {
  @Field(() => [String], {
    description: 'The keywords that are muted now. Where the change was refused: as before.',
  })
  keywords: readonly string[];
}
