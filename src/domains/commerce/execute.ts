import { type Caller, metadataOf, scopedCommandId } from '../../platform/auth/caller.js';
import { ok, type Result, refusedAll } from '../../platform/errors.js';
import type { Aggregate } from '../../platform/event-log/aggregate.js';
import { type CommandRequest, executeOn } from '../../platform/event-log/execute.js';
import type { NewEvent } from '../../platform/event-log/index.js';
import type { Accepted, CommandDeps, Optional } from './command.js';
import { type Check, checkAll, commandIdRule } from './rules.js';

type AnyCommand = { readonly kind: string };

/** Aggregates of one kind. */
export interface Aggregates<State, Command extends AnyCommand, Event extends NewEvent> {
  readonly aggregate: Aggregate<State, Command, Event>;
  streamOf(id: string): string;
  /** The input field that names one, and the rule for its id. */
  readonly field: string;
  readonly idRule: Check[0];
}

/** A command for one of them. */
export interface Request<State, Command extends AnyCommand, Event extends NewEvent>
  extends Pick<
    CommandRequest<Command, Event, State>,
    'body' | 'formerBody' | 'expectedVersion' | 'beside' | 'explain'
  > {
  readonly id: string;
  readonly commandId: Optional<string>;
  /** Of the input's other fields. */
  readonly checks: readonly Check[];
  /** The command, or what is wrong with the amount in the input. */
  readonly command: Result<Command>;
}

/**
 * Checks the input by itself, every fault at once, then decides and appends.
 *
 * Refuses with ID_INVALID, what the checks refuse with, and what `executeOn` refuses with.
 */
export async function execute<State, Command extends AnyCommand, Event extends NewEvent>(
  deps: CommandDeps,
  caller: Caller,
  { aggregate, streamOf, field, idRule }: Aggregates<State, Command, Event>,
  { id, commandId: given, checks, command, ...rest }: Request<State, Command, Event>,
): Promise<Result<Accepted>> {
  const faults = checkAll([[idRule, id, field], [commandIdRule, given ?? null, 'commandId'], ...checks]);
  if (!command.ok) return refusedAll([...faults, ...command.errors]);
  if (faults.length > 0) return refusedAll(faults);
  const commandId = scopedCommandId(caller, command.value.kind, given ?? deps.ids.next());
  const executed = await executeOn(deps, aggregate, {
    ...rest,
    command: command.value,
    commandId,
    streamId: streamOf(id),
    metadata: metadataOf(caller, commandId),
    value: { [field]: id },
  });
  if (!executed.ok) return executed;
  const { version, position, value } = executed.value;
  // A repeat without an id gets the id that was made for the first.
  return ok({ aggregateId: String(value[field]), version, position });
}
