import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { AttributeType } from '../domains/notifications/index.js';
import { lowerCaseEnumOf } from './enums.js';
import { Payload } from './payload.js';
import { Node } from './relay.js';
import { DateTime, JSONObject } from './scalars.js';

@InputType({ description: "What is set of a user's attributes. Those that are not named stay as they are." })
export class UserAttributesInput {
  @Field(() => ID, { description: 'The user, by raw id or global id. They need no account.' })
  userId: string;
  @Field(() => JSONObject, {
    description:
      'Names to values: texts of at most 255 characters, numbers, booleans, dates and date-times (RFC 3339), or lists of at most 100 texts. Null removes. A name is a small letter and up to 63 letters, digits and `_`.',
  })
  attributes: Record<string, unknown>;
}

@InputType()
export class SetUserAttributesInput {
  @Field(() => [UserAttributesInput], {
    description: '1 to 1,000 of them. Of several of one user, each is merged into what the former left.',
  })
  users: UserAttributesInput[];
}

@ObjectType({ simpleResolvers: true })
export class SetUserAttributesPayload extends Payload {
  @Field(() => Int, { description: 'How many users have other attributes than before.' })
  changed: number;
}

/** `sample` stands in the resolver. */
@ObjectType({ simpleResolvers: true, description: 'How many users a filter means, and some of them.' })
export class SegmentEstimate extends Payload {
  readonly sampleIds: readonly string[];
  @Field(() => Int, {
    description:
      'Exact up to about 70,000 accounts, and wherever equality with an attribute, or named users, leave at most 10,000 to look at. Else projected from a sample of about 70,000 accounts. It may be up to 30 seconds old. 0 where the filter was refused.',
  })
  count: number;
}

const UserAttributeType = lowerCaseEnumOf<AttributeType>(
  'UserAttributeType',
  'What the values of an attribute are.',
  {
    STRING: 'Texts.',
    NUMBER: 'Numbers.',
    BOOLEAN: 'True or false.',
    DATETIME: 'Date-times.',
    STRINGS: 'Lists of texts.',
  },
);

@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A name that filters may ask for.',
})
export class UserAttribute extends Node {
  @Field({ description: 'Its name.' })
  name: string;
  @Field(() => UserAttributeType, { description: 'What its values are, for everybody.' })
  type: AttributeType;
  @Field({ description: 'True: every user has it without anybody setting it, as their `language`.' })
  isBuiltIn: boolean;
  @Field(() => ID, {
    nullable: true,
    description:
      'The raw id of the producer or admin who set the first value. Null for built-in ones, and for callers who are no admins.',
  })
  createdBy: string | null;
  @Field(() => DateTime, { nullable: true, description: 'When that was. Null for built-in ones.' })
  createdAt: Date | null;
  @Field(() => DateTime, {
    nullable: true,
    description:
      'Since when its values are being removed: no filter may ask for it, and nobody gets one. Null while it holds.',
  })
  deletedAt: Date | null;
}

@InputType()
export class DeleteUserAttributeInput {
  @Field({ description: 'Its name.' })
  name: string;
}

@ObjectType({ simpleResolvers: true })
export class DeleteUserAttributePayload extends Payload {
  @Field(() => ID, {
    nullable: true,
    description:
      'The global id of the attribute whose values are being removed: a cache can drop it. Null where it was refused.',
  })
  deletedId: string | null;
}
