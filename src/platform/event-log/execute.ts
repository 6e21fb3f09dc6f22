import { setTimeout as pause } from 'node:timers/promises';
import { ok, type Result, refused } from '../errors.js';
import { type Aggregate, type Loaded, load, resume } from './aggregate.js';
import type { EventLog } from './index.js';
import type { KeptStates } from './kept-states.js';
import type { InTurn } from './turns.js';
import type { AppendCommand, AppendResult, EventMetadata, JsonObject, NewEvent } from './types.js';

/** How often a command is decided at most. Writers of one process take turns: only other processes come between. */
export const ATTEMPTS = 10;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 160;

type Accepted = Extract<AppendResult, { kind: 'accepted' }>;
type Refusal = Extract<AppendResult, { kind: 'refused' }>;

export interface ExecuteDeps {
  readonly log: Pick<
    EventLog,
    'append' | 'readFromSnapshot' | 'readStream' | 'saveSnapshot' | 'findCommandResult'
  >;
  readonly inTurn: InTurn;
  readonly kept: KeptStates;
  /** 0 to 1; tests hold it. */
  readonly random?: () => number;
}

/** What a decision comes to: everything that is appended at once, or nothing. */
export interface Plan extends Pick<AppendCommand, 'appends' | 'inlineProjection' | 'life'> {
  /** Best effort, after the plan was accepted: what it throws is nobody's concern. */
  readonly afterwards?: () => Promise<void>;
}

export interface DecidedCommand {
  /** Scoped by caller. */
  readonly commandId: string;
  /** What the command id stands for; made of the client's own words only, so that a repeat has the same. */
  readonly body: JsonObject;
  /** What processes of the version before made of the same words: a repeat of what they accepted. Absent: `body`. */
  readonly formerBody?: JsonObject;
  readonly metadata: EventMetadata;
  /** Comes back in the result, also on a repeat. */
  readonly value: JsonObject;
  /** Looks at how things are and decides. Called again where they changed before the plan could be appended. */
  decide(): Promise<Result<Plan>>;
  /** An inline projection's refusal in the domain's words, or that it should be decided again. Absent: its code alone. */
  explain?(refusal: Refusal): Result<never> | 'decide again';
}

/**
 * Decides and appends; where somebody else was faster, decides again, `ATTEMPTS` times in all.
 *
 * A repeat of an accepted command answers the first result, even if it would be refused by now.
 *
 * Refuses with what `decide` and `explain` refuse with, COMMAND_ID_REUSED, or CONFLICT (too many others; try again).
 */
export async function appendDecided(
  deps: Pick<ExecuteDeps, 'log' | 'random'>,
  command: DecidedCommand,
): Promise<Result<Accepted>> {
  const { commandId, body, metadata, value } = command;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const plan = await command.decide();
    if (!plan.ok) return (await findRepeat(deps.log, command)) ?? plan;
    const { afterwards, ...appended } = plan.value;
    const result = await deps.log.append({ commandId, body, metadata, value, ...appended });
    switch (result.kind) {
      case 'accepted':
        if (!result.repeated) await afterwards?.().catch(() => undefined);
        return ok(result);
      case 'command-id-reused':
        return (await findRepeat(deps.log, command)) ?? reused;
      case 'refused': {
        const explained = command.explain?.(result) ?? refused(result.code, `Refused: ${result.code}`);
        if (explained !== 'decide again') return explained;
        break;
      }
      case 'conflict':
        break;
      default:
        return result satisfies never;
    }
    if (attempt < ATTEMPTS) {
      const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
      await pause((deps.random ?? Math.random)() * longest);
    }
  }
  return refused('CONFLICT', 'Too many others changed this at the same time; try again');
}

export interface CommandRequest<Command, Event extends NewEvent, State>
  extends Omit<DecidedCommand, 'decide'> {
  readonly streamId: string;
  readonly command: Command;
  /** The version that the client has seen; absent: whichever it is. */
  readonly expectedVersion?: number;
  /** What else is appended with the command's events, all or nothing: other streams, an inline projection. Pure. */
  beside?(events: readonly Event[], state: State): Partial<Pick<Plan, 'appends' | 'inlineProjection'>>;
}

export interface Executed {
  /** The stream's position after the command. */
  readonly version: number;
  /** The log's position after the command. */
  readonly position: number;
  /** The value of the first request under this command id. */
  readonly value: JsonObject;
}

/**
 * Loads an aggregate, decides, and appends at the version that was loaded; see `appendDecided`. A decision without
 * events is accepted and changes nothing.
 *
 * A refusal by the decider wins over a version conflict, so that a stranger learns nothing of a stream.
 *
 * Refuses as `appendDecided` does, and with VERSION_CONFLICT (`expectedVersion` does not hold).
 */
export function executeOn<State, Command, Event extends NewEvent>(
  deps: ExecuteDeps,
  aggregate: Aggregate<State, Command, Event>,
  request: CommandRequest<Command, Event, State>,
): Promise<Result<Executed>> {
  const { streamId, expectedVersion } = request;
  const { log, kept } = deps;
  return deps.inTurn(streamId, async () => {
    let seen = -1;
    let decided: Loaded<State, Event> | undefined;
    let state = kept.find<State>(aggregate, streamId);
    // Until an append says so, nobody knows that it holds.
    kept.forget(streamId);
    const result = await appendDecided(deps, {
      ...request,
      async decide() {
        if (state) {
          const plan = decideOn(resume(log, aggregate, streamId, state));
          // What it does not allow, or does not lead to, is decided again on what is read.
          state = undefined;
          if (plan.ok) return plan;
        }
        return decideOn(await load(log, aggregate, streamId));
      },
    });
    if (!result.ok) return result;
    const { versions, position, value, repeated } = result.value;
    // It was appended in the life of the server that the state was read in.
    if (decided && !repeated && decided.life !== undefined) kept.keep(aggregate, streamId, decided);
    // A repeat may have been made for another, made-up, stream: its result names that one. One that earlier versions stored names none
    // where nothing was appended.
    const version = versions[streamId] ?? Object.values(versions)[0] ?? seen;
    return ok({ version, position, value });

    function decideOn(loaded: Loaded<State, Event>): Result<Plan> {
      seen = loaded.version;
      const decision = aggregate.decide(request.command, loaded.state);
      if (!decision.ok) return decision;
      if (expectedVersion !== undefined && expectedVersion !== loaded.version) {
        return versionConflict(expectedVersion, loaded.version);
      }
      const events = decision.value;
      const beside = request.beside?.(events, loaded.state);
      const expected = loaded.version === -1 ? 'none' : loaded.version;
      const after = loaded.after(events);
      decided = after;
      return ok({
        appends: [{ streamId, expected, events }, ...(beside?.appends ?? [])],
        ...(beside?.inlineProjection && { inlineProjection: beside.inlineProjection }),
        life: loaded.life,
        afterwards: () => after.keepSnapshot(),
      });
    }
  });
}

/** The first answer to this command id, if it was accepted before. Looked up after deciding, which saw its effects. */
async function findRepeat(
  log: Pick<EventLog, 'findCommandResult'>,
  { commandId, body, formerBody }: DecidedCommand,
): Promise<Result<Accepted> | undefined> {
  let found = await log.findCommandResult(commandId, body);
  if (found?.kind === 'command-id-reused' && formerBody) {
    found = await log.findCommandResult(commandId, formerBody);
  }
  if (!found) return undefined;
  return found.kind === 'accepted' ? ok(found) : reused;
}

const reused: Result<never> = refused('COMMAND_ID_REUSED', 'This commandId was used for another command', [
  'input',
  'commandId',
]);

const versionConflict = (expected: number, actual: number): Result<never> =>
  refused('VERSION_CONFLICT', `Expected version ${expected}, but it is at version ${actual}`, [
    'input',
    'expectedVersion',
  ]);
