import { type ClassType, Field, ObjectType } from 'type-graphql';
import { UserError } from './user-error.js';

/**
 * The payload type `<mutation>Payload` of a mutation that answers objects, each null where it was refused, and
 * `userErrors`.
 *
 * @param mutation in upper camel case
 * @param objects by the names of their fields
 */
export function payloadOf(mutation: string, objects: Readonly<Record<string, ClassType<object>>>) {
  @ObjectType(`${mutation}Payload`, { simpleResolvers: true })
  class Payload {
    @Field(() => [UserError])
    userErrors: readonly UserError[];
  }
  for (const [name, type] of Object.entries(objects))
    Field(() => type, { nullable: true })(Payload.prototype, name);
  return Payload;
}
