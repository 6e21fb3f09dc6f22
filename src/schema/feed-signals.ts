import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { SIGNAL_KINDS, type SignalKind as SignalKindName } from '../domains/feed/ranking/index.js';
import { UserError } from './user-error.js';

export const SignalKind = Object.fromEntries(SIGNAL_KINDS.map((kind) => [kind, kind])) as {
  [Kind in SignalKindName]: Kind;
};
registerEnumType(SignalKind, {
  name: 'SignalKind',
  description: 'What a viewer did with a post or a person.',
  valuesConfig: {
    IMPRESSION: { description: 'A post was on the screen.' },
    CLICK: { description: 'A post was opened.' },
    HIDE: { description: 'A post was hidden by the viewer.' },
    PROFILE_VISIT: { description: "A person's profile was opened." },
    DIRECT_MESSAGE: { description: 'The viewer wrote a message to a person.' },
    TAG: { description: 'The viewer tagged a person.' },
  },
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
export class RecordSignalsPayload {
  @Field(() => Int, {
    description:
      'How many counted. Repeats within a minute do not, nor does what is deleted, unknown or hidden from the viewer.',
  })
  recorded: number;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}
