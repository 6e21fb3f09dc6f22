import { Field, ObjectType } from 'type-graphql';
import type { UserError as Refusal } from '../platform/errors.js';

@ObjectType({
  simpleResolvers: true,
  description: 'An expected refusal. `code` is stable and documented; `path` points into the input.',
})
export class UserError implements Refusal {
  @Field()
  code: string;
  @Field()
  message: string;
  @Field(() => [String], { nullable: true })
  path?: readonly string[];
}
