import { setTimeout as pause } from 'node:timers/promises';
import { ok, type Result, refused } from '../errors.js';
import type { EventLog } from './index.js';
import type { InTurn } from './turns.js';
import type { AppendResult, EventMetadata, JsonObject, NewEvent, RecordedEvent } from './types.js';

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 5;

/** How one kind of aggregate behaves. All of it is pure. */
export interface Decider<State, Command, Event extends NewEvent> {
  /** The state of an aggregate that nothing has happened to. */
  readonly initial: State;
  /** What follows from a command in a state: the events that it causes, or why it is refused. */
  decide(command: Command, state: State): Result<readonly Event[]>;
  /** The state after an event. It never refuses: the event has happened. */
  evolve(state: State, event: Event): State;
}

/** A decider whose events lie in the log, in streams of their own. */
export interface Aggregate<State, Command, Event extends NewEvent> extends Decider<State, Command, Event> {
  /** Parses an event of its streams. @throws where it is none */
  read(recorded: RecordedEvent): Event;
}

export interface CommandRequest<Command> {
  readonly streamId: string;
  readonly command: Command;
  /** Scoped by caller. */
  readonly commandId: string;
  /** What the command id stands for; made of the client's own words only, so that a repeat has the same. */
  readonly body: JsonObject;
  /** The version that the client has seen; absent: whichever it is. */
  readonly expectedVersion?: number;
  readonly metadata: EventMetadata;
  /** Comes back in the result, also on a repeat. */
  readonly value: JsonObject;
}

export interface Executed {
  /** The stream's position after the command. */
  readonly version: number;
  /** The log's position after the command. */
  readonly position: number;
  /** The value of the first request under this command id. */
  readonly value: JsonObject;
}

interface Deps {
  readonly log: Pick<EventLog, 'append' | 'readStream' | 'findCommandResult'>;
  readonly inTurn: InTurn;
  /** 0 to 1; tests hold it. */
  readonly random?: () => number;
}

/**
 * Loads an aggregate, decides, and appends at the version that was loaded; where another writer was faster, loads and
 * decides again, five times in all.
 *
 * A repeat of an accepted command answers the first result, even if it would be refused by now.
 * A refusal by the decider wins over a version conflict, so that a stranger learns nothing of a stream.
 *
 * Refuses with the decider's errors, COMMAND_ID_REUSED, VERSION_CONFLICT (`expectedVersion` does not hold)
 * or CONFLICT (too many other writers; try again).
 */
export function executeOn<State, Command, Event extends NewEvent>(
  deps: Deps,
  aggregate: Aggregate<State, Command, Event>,
  request: CommandRequest<Command>,
): Promise<Result<Executed>> {
  return deps.inTurn(request.streamId, async () => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const { state, version } = await load(deps.log, aggregate, request.streamId);
      const decision = aggregate.decide(request.command, state);
      const verdict = decision.ok ? checkVersion(request, version) : decision;
      if (!verdict.ok) return (await findRepeat(deps.log, request)) ?? verdict;
      const result = await deps.log.append({
        commandId: request.commandId,
        body: request.body,
        metadata: request.metadata,
        value: request.value,
        appends: [
          {
            streamId: request.streamId,
            expected: version === -1 ? 'none' : version,
            events: decision.ok ? decision.value : [],
          },
        ],
      });
      const answer = answerOf(result, request, version);
      if (answer) return answer;
      await pause((deps.random ?? Math.random)() * FIRST_PAUSE_MS * 2 ** attempt);
    }
    return refused('CONFLICT', 'Too many others changed this at the same time; try again');
  });
}

/** Replays a stream. The version is its last position, -1 where there is none. */
export async function load<State, Command, Event extends NewEvent>(
  log: Pick<EventLog, 'readStream'>,
  aggregate: Aggregate<State, Command, Event>,
  streamId: string,
): Promise<{ state: State; version: number }> {
  const recorded = await log.readStream(streamId);
  const state = recorded.reduce(
    (before, event) => aggregate.evolve(before, aggregate.read(event)),
    aggregate.initial,
  );
  return { state, version: recorded.at(-1)?.streamPosition ?? -1 };
}

function checkVersion(request: CommandRequest<unknown>, version: number): Result<null> {
  return request.expectedVersion === undefined || request.expectedVersion === version
    ? ok(null)
    : versionConflict(request.expectedVersion, version);
}

/** The first answer to this command id, if it was accepted before. Looked up after loading, which saw its effects. */
async function findRepeat(
  log: Deps['log'],
  request: CommandRequest<unknown>,
): Promise<Result<Executed> | undefined> {
  const found = await log.findCommandResult(request.commandId, request.body);
  return found ? answerOf(found, request, -1) : undefined;
}

/** @returns nothing where the command should be decided again */
function answerOf(
  result: AppendResult,
  request: CommandRequest<unknown>,
  loaded: number,
): Result<Executed> | undefined {
  switch (result.kind) {
    case 'accepted': {
      const { versions, position, value } = result;
      // A repeat may have been made for another, made-up, stream: its result names that one.
      const version = versions[request.streamId] ?? Object.values(versions)[0] ?? loaded;
      return ok({ version, position, value });
    }
    case 'conflict':
      return request.expectedVersion === undefined
        ? undefined
        : versionConflict(request.expectedVersion, result.actual);
    case 'command-id-reused':
      return refused('COMMAND_ID_REUSED', 'This commandId was used for another command', [
        'input',
        'commandId',
      ]);
    case 'refused':
      return refused(result.code, `Refused: ${result.code}`);
  }
}

const versionConflict = (expected: number, actual: number): Result<never> =>
  refused('VERSION_CONFLICT', `Expected version ${expected}, but it is at version ${actual}`, [
    'input',
    'expectedVersion',
  ]);
