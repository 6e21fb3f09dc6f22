import { ArgsType, Field, ID, InputType, Int, InterfaceType } from 'type-graphql';
import { UserError } from './user-error.js';

@InterfaceType({
  description:
    'What every command answers: the id of what it changed or made (of an order, an account, …), and the version to pass as `afterVersion`.',
})
export abstract class CommandResult {
  @Field(() => ID, { nullable: true, simple: true })
  aggregateId: string | null;
  @Field(() => Int, { nullable: true, simple: true })
  version: number | null;
  @Field(() => [UserError], { simple: true })
  userErrors: readonly UserError[];
}

@InputType()
export abstract class CommandInput {
  @Field(() => ID, {
    nullable: true,
    description: 'The same commandId again within two days answers the first result and changes nothing.',
  })
  commandId?: string | null;
}

@ArgsType()
export abstract class AfterVersionArgs {
  @Field(() => Int, {
    nullable: true,
    description: 'Waits, 5 s at most, until the read model has reached the version that a command answered.',
  })
  afterVersion?: number | null;
}
