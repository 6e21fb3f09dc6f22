import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { SignalKind as SignalKindName } from '../domains/feed/ranking/index.js';
import { enumOf } from './enums.js';
import { Payload } from './payload.js';

export const SignalKind = enumOf<SignalKindName>('SignalKind', 'What a viewer did with a post or a person.', {
  IMPRESSION: 'A post was on the screen.',
  CLICK: 'A post was opened.',
  HIDE: 'A post was hidden by the viewer.',
  PROFILE_VISIT: "A person's profile was opened.",
  DIRECT_MESSAGE: 'The viewer wrote a message to a person.',
  TAG: 'The viewer tagged a person.',
});

@InputType({ description: 'One thing that the viewer did.' })
export class SignalInput {
  @Field(() => SignalKind, { description: 'What it was.' })
  kind: SignalKindName;
  @Field(() => ID, {
    nullable: true,
    description: 'The post, for IMPRESSION, CLICK and HIDE, by its raw id or its global id.',
  })
  postId?: string | null;
  @Field(() => ID, {
    nullable: true,
    description: 'The person, for PROFILE_VISIT, DIRECT_MESSAGE and TAG, by their raw id or their global id.',
  })
  userId?: string | null;
}

@InputType()
export class RecordSignalsInput {
  @Field(() => [SignalInput], { description: '1 to 100 of them.' })
  signals: SignalInput[];
}

@ObjectType({ simpleResolvers: true })
export class RecordSignalsPayload extends Payload {
  @Field(() => Int, {
    description:
      'How many counted. Repeats within a minute do not, nor does what is deleted, unknown or hidden from the viewer.',
  })
  recorded: number;
}
