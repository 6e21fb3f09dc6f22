import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { SIGNAL_KINDS, type SignalKind as SignalKindName } from '../domains/feed/ranking/index.js';
import { UserError } from './user-error.js';

export const SignalKind = Object.fromEntries(SIGNAL_KINDS.map((kind) => [kind, kind])) as {
  [Kind in SignalKindName]: Kind;
};
registerEnumType(SignalKind, { name: 'SignalKind' });

@InputType()
export class SignalInput {
  @Field(() => SignalKind)
  kind: SignalKindName;
  @Field(() => ID, { nullable: true, description: 'Which post: for IMPRESSION, CLICK and HIDE.' })
  postId?: string | null;
  @Field(() => ID, {
    nullable: true,
    description: 'Which person: for PROFILE_VISIT, DIRECT_MESSAGE and TAG.',
  })
  userId?: string | null;
}

@InputType()
export class RecordSignalsInput {
  @Field(() => [SignalInput], { description: 'At most 100.' })
  signals: SignalInput[];
}

@ObjectType({ simpleResolvers: true })
export class RecordSignalsPayload {
  @Field(() => Int, {
    description: 'How many counted: not the repeats, nor what is gone, unknown or not the viewer’s to see.',
  })
  recorded: number;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}
