import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { Payload } from './payload.js';
import { JSONObject } from './scalars.js';

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
