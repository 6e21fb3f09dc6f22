import { type ClassType, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { Wait } from '../domains/commerce/index.js';
import { type Caller, callerOf } from '../platform/auth/caller.js';
import { PublicError } from '../platform/errors.js';
import type { CommandResult } from '../schema/commerce-command.js';
import { waitFor } from './commerce-command.js';

/** How a command's payload shows the object that it changed. */
export interface ChangedObject<Model extends { readonly version: number }> {
  /** The payload's field. */
  readonly field: string;
  readonly type: ClassType<object>;
  read(context: RequestContext, caller: Caller, id: string, wait: Wait | undefined): Promise<Model | null>;
  show(model: Model): object;
}

/** Operations in which a read model was too late once: their other payloads do not wait. */
const late = new WeakSet<RequestContext>();

/**
 * Gives a command's payload the object that it changed, at the command's version or a later one. Read only where it is
 * selected. The command is accepted whatever becomes of the read: where the read model does not come in time, or the
 * caller may not see the object, it is null and no error.
 */
export function showChanged<Model extends { readonly version: number }>(
  payload: ClassType<CommandResult>,
  { field, type, read, show }: ChangedObject<Model>,
) {
  @Resolver(() => payload)
  class ChangedObjectResolver {
    @FieldResolver(() => type, {
      name: field,
      nullable: true,
      description: `The ${field} after this command: at \`version\` or later. Null where the command was refused, and where it was accepted and the read model did not reach \`version\` within 5 s: then read it with \`afterVersion\`.`,
    })
    async changed(@Root() result: CommandResult, @Ctx() context: RequestContext): Promise<object | null> {
      const { aggregateId, version } = result;
      if (aggregateId === null || version === null) return null;
      const wait = late.has(context) ? undefined : waitFor(version, context);
      try {
        const model = await read(context, callerOf(context), aggregateId, wait);
        return model && model.version >= version ? show(model) : null;
      } catch (error) {
        if (!(error instanceof PublicError))
          context.logger.error({ err: error }, `the ${field} of an accepted command could not be read`);
        else if (error.code === 'READ_MODEL_TIMEOUT') late.add(context);
        return null;
      }
    }
  }
  return ChangedObjectResolver;
}
