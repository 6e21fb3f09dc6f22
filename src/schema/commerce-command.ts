import { ArgsType, type ClassType, Field, ID, InputType, Int, InterfaceType, ObjectType } from 'type-graphql';
import { DateTime } from './scalars.js';
import { UserError } from './user-error.js';

@InterfaceType({
  description:
    'What every command answers: the id of what it changed or made, and the version to pass as `afterVersion`.',
})
export abstract class CommandResult {
  @Field(() => ID, {
    nullable: true,
    simple: true,
    description: 'The raw id of what was changed or made. Null where the command was refused.',
  })
  aggregateId: string | null;
  @Field(() => Int, {
    nullable: true,
    simple: true,
    description:
      'The version that the command led to: pass it as `afterVersion` to read the change. Null where the command was refused.',
  })
  version: number | null;
  @Field(() => String, {
    nullable: true,
    simple: true,
    description:
      'The position of the log that the command led to: pass it as `afterPosition` to read what the command changed elsewhere, like the balance of the customer of an order. Null where the command was refused.',
  })
  position: string | null;
  @Field(() => [UserError], { simple: true })
  userErrors: readonly UserError[];
}

/** The payload type `<command>Payload` of a command. @param command in upper camel case */
export function commandPayloadOf(command: string, description?: string): ClassType<CommandResult> {
  @ObjectType(`${command}Payload`, {
    implements: CommandResult,
    simpleResolvers: true,
    ...(description !== undefined && { description }),
  })
  class Payload extends CommandResult {}
  return Payload;
}

@InputType()
export abstract class CommandInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'A key that the caller makes up, 1 to 128 characters. The same key with the same input within two days answers the first result and changes nothing; with another input it is refused.',
  })
  commandId?: string | null;
}

@ArgsType()
export abstract class AfterVersionArgs {
  @Field(() => Int, {
    nullable: true,
    description:
      'A version that a command answered. Waits, 5 s at most, until the read model has reached it; then fails with READ_MODEL_TIMEOUT. Absent: reads at once.',
  })
  afterVersion?: number | null;
}

@ArgsType()
export abstract class AsOfArgs extends AfterVersionArgs {
  @Field(() => DateTime, {
    nullable: true,
    description:
      'Answers the state at that time, replayed from the events. Not together with `afterVersion`. Fails with AS_OF_IN_FUTURE, and with AS_OF_TOO_EARLY before the first event.',
  })
  asOf?: Date | null;
}
