import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import { connectionOf } from './connections.js';
import { enumOf } from './enums.js';
import { Channel } from './notification-enums.js';
import { Payload, payloadOf } from './payload.js';
import { Node } from './relay.js';
import { DateTime } from './scalars.js';

export const SuppressionCause = enumOf<words.SuppressionCause>(
  'SuppressionCause',
  'Why an address is on the suppression list.',
  {
    HARD_BOUNCE: 'Nobody gets anything there, as a provider reported.',
    SOFT_BOUNCES: 'It did not take five messages in a row within 30 days, though it exists.',
    COMPLAINT: 'Its reader called a message spam. Critical notifications are sent all the same.',
    STOP: 'Its owner wants no more messages from our number.',
    MANUAL: 'An admin added it.',
  },
);

@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'An address that nothing is sent to.',
})
export class AddressSuppression extends Node {
  readonly suppressionId: string;
  @Field(() => Channel, { description: 'The channel over which nothing is sent to it.' })
  channel: words.Channel;
  @Field({ description: 'A mail address, its letters in lower case, or a number in E.164.' })
  address: string;
  @Field(() => SuppressionCause, { description: 'Why nothing is sent to it.' })
  cause: words.SuppressionCause;
  @Field(() => String, { nullable: true, description: 'What the admin who added it wrote.' })
  note: string | null;
  @Field(() => ID, {
    nullable: true,
    description: "The admin who added it. Null where a provider's answer or report did.",
  })
  addedBy: string | null;
  @Field(() => ID, {
    nullable: true,
    description:
      'The delivery, by its raw id, whose answer or report added it. It may be past its retention.',
  })
  deliveryId: string | null;
  @Field(() => DateTime, { description: 'Since when.' })
  createdAt: Date;
}

export const AddressSuppressionConnection = connectionOf(
  'AddressSuppression',
  AddressSuppression,
  'A page of the suppression list, newest first. There is no `totalCount`.',
);

const ADDRESS = 'A mail address, in whatever case, or a number in E.164.';
const CHANNEL = 'EMAIL or SMS.';

@InputType()
export class AddSuppressionInput {
  @Field(() => Channel, { description: CHANNEL })
  channel: words.Channel;
  @Field({ description: ADDRESS })
  address: string;
  @Field(() => String, { nullable: true, description: 'Why: 1 to 500 characters.' })
  note?: string | null;
}

@InputType()
export class RemoveSuppressionInput {
  @Field(() => Channel, { description: CHANNEL })
  channel: words.Channel;
  @Field({ description: ADDRESS })
  address: string;
  @Field({ description: 'Why: 1 to 500 characters. Kept for a year.' })
  note: string;
}

export const AddSuppressionPayload = payloadOf('AddSuppression', { suppression: AddressSuppression });

@ObjectType({ simpleResolvers: true })
export class RemoveSuppressionPayload extends Payload {
  @Field({ description: 'Whether the address was on the list.' })
  removed: boolean;
  @Field(() => ID, { nullable: true, description: 'The global id of the entry that was removed.' })
  deletedId: string | null;
}
