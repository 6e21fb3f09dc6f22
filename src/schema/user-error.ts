import { Field, ObjectType } from 'type-graphql';
import type { UserError as Refusal } from '../platform/errors.js';

/** `codeEnum` is added in the resolver. */
@ObjectType({
  simpleResolvers: true,
  description:
    'An expected refusal: nothing is wrong with the request itself, but it cannot be done as it stands.',
})
export class UserError implements Refusal {
  @Field({ description: 'A stable code in upper snake case; docs/errors.md lists all of them.' })
  code: string;
  @Field({ description: 'One sentence in English for a person. Its wording may change.' })
  message: string;
  @Field(() => [String], {
    nullable: true,
    description:
      'The part of the input that is at fault, from the argument inwards; list indices are numbers in text: `["input", "items", "0", "price"]`. Null where no single part is.',
  })
  path?: readonly string[];
}
