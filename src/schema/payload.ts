import { type ClassType, Field, ObjectType } from 'type-graphql';
import { UserError } from './user-error.js';

/** What the payload of every mutation has. Payloads that are more than objects extend it. */
@ObjectType({ simpleResolvers: true })
export abstract class Payload {
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

/**
 * The payload type `<mutation>Payload` of a mutation that answers objects, each null where it was refused, and
 * `userErrors`.
 *
 * @param mutation in upper camel case
 * @param objects by the names of their fields
 */
export function payloadOf(mutation: string, objects: Readonly<Record<string, ClassType<object>>>) {
  @ObjectType(`${mutation}Payload`, { simpleResolvers: true })
  class ObjectsPayload extends Payload {}
  for (const [name, type] of Object.entries(objects))
    Field(() => type, { nullable: true })(ObjectsPayload.prototype, name);
  return ObjectsPayload;
}
