import { setTimeout as pause } from 'node:timers/promises';
import { groupCommit } from '../group-commit.js';
import type { Ids } from '../ids.js';
import { isConnectionError, lacksPartition, type Postgres, runOn } from '../postgres/postgres.js';
import { isStorable } from '../text.js';
import { inSpan, type SpanStart, tracer } from '../tracing/tracing.js';
import {
  type AppendCall,
  appendCallOf,
  expectedPosition,
  type HashedCommand,
  toResult,
} from './append-call.js';
import { ensureEventPartitions } from './partitions.js';
import { hashBody } from './read.js';
import { type AppendCommand, type AppendResult, InvalidCommand, type Json } from './types.js';

const MAX_BATCH = 200;
/** While Postgres writes one batch, this process makes the next. In a pool of two it is one, so that reads have a connection. */
const CALLS_AT_ONCE = 2;
/**
 * A call takes the append lock for itself, and costs as much as five appends: smaller halves would cost more than they gain where other
 * processes append as well.
 */
const LEAST_BESIDE = 24;
/**
 * A call that waits for the append lock behind others must not be taken for lost: where calls take longer than this part of what they
 * may take, each process has one on its way.
 */
const QUICK_PART = 0.02;
/** Other writers wait while a call writes. */
const MAX_BATCH_EVENTS = 1_000;
const MAX_ID_LENGTH = 255;
/** A call that is not answered by then is taken for lost. */
const CALL_TIMEOUT_MS = 5_000;
/** So long a database may be away before clients hear of it. */
const GIVE_UP_AFTER_MS = 10_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

interface Answer {
  /** Null where the server has another life than was expected, so that nothing was appended. */
  readonly results: readonly AppendResult[] | null;
}

/**
 * The process's one writer of the log. Group commit: while a call is on its way, the next commands gather
 * (at most 200, of 1,000 events at most; one that has more goes alone); a lone append goes at once. Where many wait and calls are quick,
 * two are on their way: their commands are decided one call after the other, in either order.
 *
 * An append rejects with `InvalidCommand` before anything is sent, or with the database's error; then the command
 * was not accepted, or, where the database stayed away for 10 s, its fate is unknown and a repeat under the same
 * command id is safe.
 *
 * @param deps.onAppended must not throw: what it is called for is committed
 * @param deps.callTimeoutMs after how long a call without an answer counts as lost; 5 s unless given
 * @param deps.giveUpAfterMs how long a lost call is made again; 10 s unless given
 */
export function createAppender(deps: {
  postgres: Postgres;
  ids: Ids;
  onAppended: (position: number) => void;
  callTimeoutMs?: number;
  giveUpAfterMs?: number;
}): (command: AppendCommand) => Promise<AppendResult> {
  const { callTimeoutMs = CALL_TIMEOUT_MS, giveUpAfterMs = GIVE_UP_AFTER_MS } = deps;
  const appendInGroup = groupCommit<HashedCommand, AppendResult>({
    async commit(batch) {
      const results = await sendWhatHolds(batch);
      const last = Math.max(0, ...results.map((one) => (one.kind === 'accepted' ? one.position : 0)));
      if (last > 0) deps.onAppended(last);
      return results;
    },
    maxItems: MAX_BATCH,
    callsAtOnce: Math.max(1, Math.min(CALLS_AT_ONCE, deps.postgres.pool.options.max - 1)),
    beside: { least: LEAST_BESIDE, withinMs: callTimeoutMs * QUICK_PART },
    weightOf: ({ command }) => command.appends.reduce((sum, { events }) => sum + events.length, 0),
    maxWeight: MAX_BATCH_EVENTS,
    // What gathered meanwhile would wait for the same database: nobody waits for it twice.
    endsAll: mayPass,
  });

  /**
   * Sends the commands that rest on one life of the server, and those that rest on none. Those of another are in conflict: what they
   * were decided on may be of events that no longer exist.
   */
  async function sendWhatHolds(batch: readonly HashedCommand[]): Promise<AppendResult[]> {
    const life = batch.find(({ command }) => command.life !== undefined)?.command.life;
    const sent = new Set(batch.filter(({ command }) => command.life === undefined || command.life === life));
    const { results } = await send([...sent], life ?? null);
    if (results) {
      const inOrder = results.values();
      return batch.map((one) => (sent.has(one) ? inOrder.next().value! : outlived(one.command)));
    }
    // Nothing was appended: the server has another life by now.
    const left = batch.filter(({ command }) => command.life !== life);
    const answers = (left.length > 0 ? await sendWhatHolds(left) : []).values();
    return batch.map(({ command }) => (command.life === life ? outlived(command) : answers.next().value!));
  }

  /**
   * Calls until there is an answer, or until the database has been away too long. Every command has an id, so making
   * a lost call again is a repeat, not a second fact. Where workers have made no partition in time it makes one.
   */
  async function send(batch: readonly HashedCommand[], inLife: string | null): Promise<Answer> {
    const made = appendCallOf(batch, inLife);
    let awaySince: number | undefined;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await call(made, attempt > 0);
      } catch (error) {
        if (!mayPass(error)) throw error;
        if (lacksPartition(error)) await ensureEventPartitions(deps.postgres).catch(() => undefined);
        awaySince ??= performance.now();
        const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
        if (performance.now() + pauseMs > awaySince + giveUpAfterMs) throw error;
        await pause(pauseMs);
      }
    }
  }

  /** @param afresh on a new connection, since whatever silenced one of the pool may have silenced all */
  async function call({ statement, values }: AppendCall, afresh: boolean): Promise<Answer> {
    const { rows } = await (afresh
      ? deps.postgres.queryAfresh(statement, values, callTimeoutMs)
      : runOn(deps.postgres.pool, statement, values, callTimeoutMs));
    if (rows[0]?.outcome === null) return { results: null };
    return { results: rows.map(({ outcome, result }) => toResult(outcome!, result)) };
  }

  return async (command) => {
    const named = { ...command, commandId: command.commandId ?? deps.ids.next() };
    check(named);
    const hash = hashBody(bodyOf(command));
    const using = tracer();
    if (!using) return appendInGroup({ command: named, hash });
    return inSpan(using, spanOf(command), async (span) => {
      const { traceparent } = span;
      const metadata = traceparent === null ? named.metadata : { ...named.metadata, traceparent };
      const result = await appendInGroup({ command: { ...named, metadata }, hash });
      span.set({ 'tidings.append.outcome': result.kind });
      return result;
    });
  };
}

const spanOf = ({ appends }: AppendCommand): SpanStart => ({
  name: 'append events',
  kind: 'producer',
  attributes: {
    'messaging.system': 'tidings.event_log',
    'messaging.operation.name': 'append',
    'messaging.operation.type': 'send',
    'messaging.destination.name': 'events',
    'messaging.batch.message_count': appends.reduce((sum, { events }) => sum + events.length, 0),
    'tidings.event.types': [
      ...new Set(appends.flatMap(({ events }) => events.map(({ type }) => type))),
    ].join(),
  },
});

/** What a command that rests on another life of the server comes to. */
const outlived = ({ appends: [first] }: AppendCommand): AppendResult => {
  const expected = expectedPosition(first!.expected) ?? -1;
  return { kind: 'conflict', streamId: first!.streamId, expected, actual: expected };
};

const mayPass = (error: unknown): boolean => isConnectionError(error) || lacksPartition(error);

/** `guard` is what the inline projection was called when the hashes of these bodies were first stored. */
const bodyOf = ({ body, appends, inlineProjection }: AppendCommand): object =>
  body ?? { appends, guard: inlineProjection ?? null };

/** Refuses what Postgres could not store, before it shares a batch with others. */
function check(command: AppendCommand & { commandId: string }): void {
  checkId(command.commandId, 'commandId');
  for (const { streamId, events } of command.appends) {
    checkId(streamId, 'streamId');
    for (const event of events) {
      checkId(event.type, 'type');
      checkJson(event.data, ['data']);
    }
  }
  checkJson({ ...command.metadata }, ['metadata']);
  if (command.inlineProjection) checkJson(command.inlineProjection.args, ['inlineProjection']);
  if (command.value) checkJson(command.value, ['value']);
}

function checkId(id: string, field: string): void {
  if (id.length === 0 || id.length > MAX_ID_LENGTH) {
    throw new InvalidCommand(`${field} must have 1 to ${MAX_ID_LENGTH} characters`, [field]);
  }
  if (!isStorable(id)) throw unstorable([field]);
}

function checkJson(value: Json | undefined, path: readonly string[]): void {
  const found = unstorableIn(value);
  if (found) throw unstorable([...path, ...found]);
}

/**
 * The path to the first text in a value that cannot be stored; for a member's name, the path of its object. Undefined: there is none. The
 * path is built only once such a text is found: this runs for every event.
 */
function unstorableIn(value: Json | undefined): string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    if (!isStorable(key)) return [];
    const found = unstorableIn(member as Json | undefined);
    if (found) return [key, ...found];
  }
  return undefined;
}

const unstorable = (path: readonly string[]): InvalidCommand =>
  new InvalidCommand('text with a NUL or half a surrogate pair cannot be stored', path);
