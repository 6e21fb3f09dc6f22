/** JSON as it stands in events, results and inline projections' arguments. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Who caused an event, and what it is part of. On every event. */
export interface EventMetadata {
  /** One id for everything that followed from one request. */
  readonly correlationId: string;
  /** The command or event that directly caused this one. */
  readonly causationId: string;
  readonly userId?: string;
  /** W3C trace context of the append; absent where it is not sampled. */
  readonly traceparent?: string;
}

/** A fact to be written. `type` is past tense, e.g. `MoneyDeposited`; `data.version` is its schema version. */
export interface NewEvent {
  readonly type: string;
  readonly data: JsonObject;
}

/** A fact as the log holds it. */
export interface RecordedEvent {
  /** 1, 2, 3 … without gaps, in commit order. */
  readonly globalPosition: number;
  /** `<AggregateType>-<aggregate id>` */
  readonly streamId: string;
  /** 0, 1, 2 … within the stream. */
  readonly streamPosition: number;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
  readonly createdAt: Date;
}

/** The position that a stream must be at: the last one seen, `'none'` for a stream that must not exist, `'any'`. */
export type ExpectedVersion = number | 'none' | 'any';

export interface StreamAppend {
  readonly streamId: string;
  readonly expected: ExpectedVersion;
  readonly events: readonly NewEvent[];
}

/**
 * A registered SQL function (`prisma/functions/run_guard.sql`), run under the append lock: it may refuse,
 * skip the events, or write the rows that belong to the fact.
 */
export interface InlineProjection {
  readonly name: string;
  readonly args: JsonObject;
}

/**
 * One atomic decision: all of its events in all of its streams, the rows that belong to them (by the inline projection)
 * and its result, or nothing. Commands whose answers are not awaited are decided in any order.
 */
export interface AppendCommand {
  /**
   * Makes a repeat harmless: the same id with the same body answers the first result for at least 24 h.
   * Scope it by caller. Absent: made up, so that only a retry after a lost connection is a repeat.
   */
  readonly commandId?: string;
  /** What the id stands for. Compared by hash; absent: the appends themselves. */
  readonly body?: JsonObject;
  readonly appends: readonly StreamAppend[];
  readonly metadata: EventMetadata;
  readonly inlineProjection?: InlineProjection;
  /**
   * The life of the server (`server_life`) that what the command was decided on was read in; another one is a conflict: after a
   * failover the same position may be another event's. Absent: it rests on nothing that was read.
   */
  readonly life?: string | undefined;
  /** Comes back in the result, also on a repeat; an inline projection may answer another. */
  readonly value?: JsonObject;
}

export type AppendResult =
  | {
      readonly kind: 'accepted';
      /** The log position of the command's last event. */
      readonly position: number;
      /** The last stream position of each stream that the command names, also of one that got no events; -1: it has none. */
      readonly versions: Readonly<Record<string, number>>;
      readonly value: JsonObject;
      /** The command id had been accepted before; this is its first result. */
      readonly repeated: boolean;
    }
  | {
      readonly kind: 'conflict';
      readonly streamId: string;
      readonly expected: number;
      readonly actual: number;
    }
  | { readonly kind: 'refused'; readonly code: string; readonly detail: JsonObject }
  | { readonly kind: 'command-id-reused' };

/** A command that the log cannot hold: a NUL or a lone surrogate in its text, an id that is too long. */
export class InvalidCommand extends Error {
  constructor(
    message: string,
    readonly path: readonly string[],
  ) {
    super(message);
    this.name = 'InvalidCommand';
  }
}
