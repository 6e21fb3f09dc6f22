import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../support/client.js';
import type { TypedDocumentString } from '../support/generated/graphql.js';

/** One thing that a subscriber was sent. */
export interface Heard {
  /** What the event is about: the same again would be a repeat. */
  readonly event: string;
  /** Which connection it came by; each resumes after the last event of the one before. */
  readonly connection: number;
  readonly at: number;
}

/** A client of one api that resumes by its last cursor whenever its connection breaks. */
export interface Subscriber {
  /** What it listens to, and where. */
  readonly name: string;
  readonly heard: readonly Heard[];
  /** How often its connection broke. */
  breaks(): number;
  /** Answers with other codes than SERVICE_UNAVAILABLE. */
  readonly surprises: string[];
  /** The events that the last comparison found fault with. */
  readonly flagged: Set<string>;
  /** Events that comparisons pass over. */
  readonly forgiven: Set<string>;
  close(): Promise<void>;
}

const BETWEEN_CONNECTIONS_MS = 100;

/**
 * Subscribes, and stays subscribed until it is closed.
 *
 * @param read the event of an answer, and its cursor; null for one that says that too much changed to tell
 * @param after where to begin; null: now
 */
export function subscribe<D, V extends Record<string, unknown>>(
  name: string,
  client: Client,
  document: TypedDocumentString<D, V>,
  variables: Omit<V, 'after'>,
  read: (answer: D) => { event: string; cursor: string },
  after: string | null = null,
): Subscriber {
  const heard: Heard[] = [];
  const surprises: string[] = [];
  let cursor = after;
  let connection = 0;
  let closed = false;
  let current: AsyncGenerator<D, void> | undefined;

  async function run(): Promise<void> {
    while (!closed) {
      connection += 1;
      current = client.subscribe(document, { ...variables, after: cursor } as unknown as V);
      try {
        for await (const answer of current) {
          const { event, cursor: next } = read(answer);
          heard.push({ event, connection, at: Date.now() });
          cursor = next;
        }
      } catch (error) {
        const said = error instanceof Error ? error.message : JSON.stringify(error);
        const [, code] = /"code":"(\w+)"/.exec(said) ?? [];
        if (code && code !== 'SERVICE_UNAVAILABLE') surprises.push(`${name}: ${said}`);
      }
      if (!closed) await pause(BETWEEN_CONNECTIONS_MS);
    }
  }

  const running = run();
  return {
    name,
    heard,
    surprises,
    flagged: new Set(),
    forgiven: new Set(),
    breaks: () => connection - 1,
    async close() {
      closed = true;
      await Promise.race([current?.return(), pause(1_000)]);
      await Promise.race([running, pause(1_000)]);
    },
  };
}

/**
 * What is wrong with what was heard, as sentences; none where it is `expected`, each once and in order.
 *
 * @param lineOf events of one line come in order among themselves; of several lines in any
 */
export function compare(
  subscriber: Subscriber,
  expected: readonly string[],
  lineOf: (event: string) => string = () => '',
): readonly string[] {
  const { name, forgiven, flagged } = subscriber;
  const counts = (event: string): boolean => !forgiven.has(event);
  const events = subscriber.heard.map(({ event }) => event).filter(counts);
  const due = expected.filter(counts);
  const faults: string[] = [];
  const count = new Map<string, number>();
  for (const event of events) count.set(event, (count.get(event) ?? 0) + 1);
  const missed = due.filter((event) => !count.has(event));
  const wanted = new Set(due);
  const invented = [...count.keys()].filter((event) => !wanted.has(event));
  const repeated = [...count].filter(([, times]) => times > 1).map(([event]) => event);
  if (missed.length > 0) faults.push(`${name} missed ${missed.length} of ${due.length}: ${some(missed)}`);
  if (invented.length > 0) faults.push(`${name} heard what never was: ${some(invented)}`);
  if (repeated.length > 0) faults.push(`${name} heard twice: ${some(repeated)}`);
  const place = new Map(due.map((event, index) => [event, index]));
  const last = new Map<string, number>();
  const late: string[] = [];
  for (const event of count.keys()) {
    const index = place.get(event);
    if (index === undefined) continue;
    const line = lineOf(event);
    if (index < (last.get(line) ?? -1)) late.push(event);
    last.set(line, Math.max(index, last.get(line) ?? -1));
  }
  if (late.length > 0) faults.push(`${name} heard out of order: ${some(late)}`);
  flagged.clear();
  for (const event of [...missed, ...invented, ...repeated, ...late]) flagged.add(event);
  return faults;
}

const some = (events: readonly string[]): string =>
  `${events.slice(0, 5).join(', ')}${events.length > 5 ? ', …' : ''}`;
