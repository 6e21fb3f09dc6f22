import { Arg, type ClassType, Ctx, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { Accepted, Commerce, Wait } from '../domains/commerce/index.js';
import { type Caller, callerOf } from '../platform/auth/caller.js';
import type { Result } from '../platform/errors.js';
import { type CommandResult, commandPayloadOf } from '../schema/commerce-command.js';
import { type ChangedObject, showChanged } from './changed-object.js';
import { toCommandPayload } from './commerce-command.js';

/** An object of commerce: the field that payloads show it in, its type, the query that reads it, and how it is shown. */
export const objectOf = <Model extends { readonly version: number }>(
  field: string,
  type: ClassType<object>,
  queryOf: (commerce: Commerce) => (caller: Caller, id: string, wait?: Wait) => Promise<Model | null>,
  show: (model: Model) => object,
): ChangedObject<Model> => ({
  field,
  type,
  read: ({ app }, caller, id, wait) => queryOf(app.commerce)(caller, id, wait),
  show,
});

/** Loads an object for `node`, by its raw id. */
export const nodeOf =
  <Model extends { readonly version: number }>({ read, show }: ChangedObject<Model>) =>
  async (id: string, context: RequestContext): Promise<object | null> => {
    const model = await read(context, callerOf(context), id, undefined);
    return model && show(model);
  };

/** The mutation of a command, and its payload, which shows the object that the command changed. */
export function commandOf<Input extends object, Model extends { readonly version: number }>({
  name,
  input,
  run,
  changes,
  description,
  payload,
}: {
  /** The mutation's. In upper camel case it names the payload. */
  readonly name: string;
  readonly input: ClassType<Input>;
  run(commerce: Commerce): (caller: Caller, input: Input) => Promise<Result<Accepted>>;
  readonly changes: ChangedObject<Model>;
  readonly description: string;
  /** Describes the payload. */
  readonly payload?: string;
}) {
  const type = commandPayloadOf(`${name.charAt(0).toUpperCase()}${name.slice(1)}`, payload);
  @Resolver()
  class CommandResolver {
    @Mutation(() => type, { name, description })
    async command(
      @Arg('input', () => input) given: Input,
      @Ctx() context: RequestContext,
    ): Promise<CommandResult> {
      return toCommandPayload(await run(context.app.commerce)(callerOf(context), given));
    }
  }
  return [CommandResolver, showChanged(type, changes)] as const;
}
