import { setTimeout as pause } from 'node:timers/promises';
import type { Ids } from '../ids.js';
import { isConnectionError, isDataError, lacksPartition, type Postgres, runOn } from '../postgres.js';
import { sql } from './append.sql.js';
import { ensureEventPartitions } from './partitions.js';
import { hashBody, readStoredResult } from './stored-result.js';
import {
  type AppendCommand,
  type AppendResult,
  InvalidCommand,
  type Json,
  type JsonObject,
} from './types.js';

const MAX_BATCH = 200;
/** Other writers wait while a call writes. */
const MAX_BATCH_EVENTS = 1_000;
const MAX_ID_LENGTH = 255;
/** A call that is not answered by then is taken for lost. */
const CALL_TIMEOUT_MS = 5_000;
/** So long a database may be away before clients hear of it. */
const GIVE_UP_AFTER_MS = 10_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

interface Waiting {
  readonly command: AppendCommand & { readonly commandId: string };
  readonly hash: Buffer;
  resolve(result: AppendResult): void;
  reject(error: unknown): void;
}

/**
 * The process's one writer of the log. Group commit: while one call is on its way, the next commands gather
 * (at most 200, of 1,000 events at most; one that has more goes alone); a lone append goes at once.
 *
 * `append` rejects with `InvalidCommand` before anything is sent, or with the database's error; then the command
 * was not accepted, or, where the database stayed away for 10 s, its fate is unknown and a repeat under the same
 * command id is safe.
 *
 * @param deps.callTimeoutMs after how long a call without an answer counts as lost; 5 s unless given
 * @param deps.giveUpAfterMs how long a lost call is made again; 10 s unless given
 */
export function createAppender(deps: {
  postgres: Postgres;
  ids: Ids;
  onAppended: (position: number) => void;
  callTimeoutMs?: number;
  giveUpAfterMs?: number;
}) {
  const { callTimeoutMs = CALL_TIMEOUT_MS, giveUpAfterMs = GIVE_UP_AFTER_MS } = deps;
  const queue: Waiting[] = [];
  let busy = false;
  /** So many at the head of the queue are sent one by one, since one of them is spoilt. */
  let singly = 0;

  async function drain(): Promise<void> {
    busy = true;
    // Commands made in the same tick share the first call too.
    await Promise.resolve();
    while (queue.length > 0) {
      const size = singly > 0 ? 1 : batchSize(queue);
      singly = Math.max(0, singly - 1);
      await settle(queue.splice(0, size));
    }
    busy = false;
  }

  async function settle(batch: Waiting[]): Promise<void> {
    try {
      const results = await send(batch);
      let last = 0;
      batch.forEach((waiting, index) => {
        const result = results[index]!;
        if (result.kind === 'accepted') last = Math.max(last, result.position);
        waiting.resolve(result);
      });
      if (last > 0) deps.onAppended(last);
    } catch (error) {
      if (batch.length > 1 && isDataError(error)) {
        // A value that Postgres cannot take spoils only its own command: the batch is replayed one by one.
        queue.unshift(...batch);
        singly = batch.length;
        return;
      }
      for (const waiting of batch) waiting.reject(error);
      if (!mayPass(error)) return;
      // What gathered meanwhile would wait for the same database: nobody waits for it twice.
      singly = 0;
      for (const waiting of queue.splice(0)) waiting.reject(error);
    }
  }

  /**
   * Calls until there is an answer, or until the database has been away too long. Every command has an id, so making
   * a lost call again is a repeat, not a second fact. Where workers have made no partition in time it makes one.
   */
  async function send(batch: readonly Waiting[]): Promise<AppendResult[]> {
    const parameters = columns(batch);
    let awaySince: number | undefined;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await call(parameters, attempt > 0);
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
  async function call(parameters: readonly unknown[], afresh: boolean): Promise<AppendResult[]> {
    const { rows } = await (afresh
      ? deps.postgres.queryAfresh(sql.appendCommands, parameters, callTimeoutMs)
      : runOn(deps.postgres.pool, sql.appendCommands, parameters, callTimeoutMs));
    return rows.map(({ outcome, result }) => toResult(outcome, result));
  }

  return {
    append(command: AppendCommand): Promise<AppendResult> {
      const named = { ...command, commandId: command.commandId ?? deps.ids.next() };
      try {
        check(named);
      } catch (error) {
        return Promise.reject(error);
      }
      return new Promise((resolve, reject) => {
        queue.push({ command: named, hash: hashBody(bodyOf(command)), resolve, reject });
        if (!busy) void drain();
      });
    },
  };
}

const mayPass = (error: unknown): boolean => isConnectionError(error) || lacksPartition(error);

/** `guard` is what the inline projection was called when the hashes of these bodies were first stored. */
const bodyOf = ({ body, appends, inlineProjection }: AppendCommand): object =>
  body ?? { appends, guard: inlineProjection ?? null };

/** How many of those at the head of the queue are sent together: one at least. */
function batchSize(queue: readonly Waiting[]): number {
  let size = 0;
  let events = 0;
  for (const { command } of queue) {
    for (const append of command.appends) events += append.events.length;
    if (size > 0 && (size === MAX_BATCH || events > MAX_BATCH_EVENTS)) break;
    size += 1;
  }
  return size;
}

/** The batch as the columns that `append_commands` takes. */
function columns(batch: readonly Waiting[]): unknown[] {
  const streams = new Map<string, number>();
  const stream = (id: string): number => {
    if (!streams.has(id)) streams.set(id, streams.size + 1);
    return streams.get(id)!;
  };
  const appends = { commands: [] as number[], streams: [] as number[], expected: [] as (number | null)[] };
  const events = {
    commands: [] as number[],
    streams: [] as number[],
    types: [] as string[],
    data: [] as string[],
  };
  batch.forEach(({ command }, index) => {
    for (const append of command.appends) {
      appends.commands.push(index + 1);
      appends.streams.push(stream(append.streamId));
      appends.expected.push(expectedPosition(append.expected));
      for (const event of append.events) {
        events.commands.push(index + 1);
        events.streams.push(stream(append.streamId));
        events.types.push(event.type);
        events.data.push(JSON.stringify(event.data));
      }
    }
  });
  return [
    batch.map(({ command }) => command.commandId),
    batch.map(({ hash }) => hash),
    batch.map(({ command }) => JSON.stringify(command.metadata)),
    batch.map(({ command }) => JSON.stringify(command.value ?? {})),
    batch.map(({ command: { inlineProjection } }) => inlineProjection?.name ?? null),
    batch.map(({ command: { inlineProjection } }) =>
      inlineProjection ? JSON.stringify(inlineProjection.args) : null,
    ),
    [...streams.keys()],
    appends.commands,
    appends.streams,
    appends.expected,
    events.commands,
    events.streams,
    events.types,
    events.data,
  ];
}

const expectedPosition = (expected: number | 'none' | 'any'): number | null =>
  expected === 'any' ? null : expected === 'none' ? -1 : expected;

function toResult(outcome: string, result: JsonObject | null): AppendResult {
  switch (outcome) {
    case 'accepted':
    case 'repeated':
      return readStoredResult(result!, outcome === 'repeated');
    case 'conflict':
      return {
        kind: 'conflict',
        streamId: result!.streamId as string,
        expected: result!.expected as number,
        actual: result!.actual as number,
      };
    case 'refused':
      return { kind: 'refused', code: result!.refuse as string, detail: result! };
    case 'reused':
      return { kind: 'command-id-reused' };
    default:
      throw new Error(`append_commands answered an unknown outcome ${outcome}`);
  }
}

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
  checkText(id, [field]);
}

function checkJson(value: Json | undefined, path: readonly string[]): void {
  if (typeof value === 'string') checkText(value, path);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      checkText(key, path);
      checkJson(member as Json | undefined, [...path, key]);
    }
  }
}

function checkText(text: string, path: readonly string[]): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new InvalidCommand('text with a NUL or half a surrogate pair cannot be stored', path);
  }
}
