import { z } from 'zod';
import type { JsonObject, RecordedEvent } from './types.js';

/** The schema version that every event carries; events older than the field are of the first. */
export const schemaVersion = z.literal(1).default(1);

/** The schema of each event's data, in its newest version, by the event's type. */
type Schemas = Readonly<Record<string, z.ZodType<JsonObject>>>;

export interface Events<S extends Schemas> {
  readonly types: ReadonlySet<string>;
  /**
   * Parses an event of one of these types.
   *
   * @throws where it is none
   */
  read(recorded: Pick<RecordedEvent, 'type' | 'data'>): EventIn<S>;
  /** Parses those of the events that are of these types. */
  readThose(recorded: readonly Pick<RecordedEvent, 'type' | 'data'>[]): EventIn<S>[];
  /** The events of these types alone. */
  only<Type extends keyof S & string>(...types: readonly Type[]): Events<Pick<S, Type>>;
}

type EventIn<S extends Schemas> = {
  readonly [Type in keyof S & string]: { readonly type: Type; readonly data: z.infer<S[Type]> };
}[keyof S & string];

/** Any of the events: what writers append, and what `read` answers. */
export type EventOf<E> = E extends Events<infer S> ? EventIn<S> : never;

/**
 * Declares events, each once: writers are typed by the schemas, and readers parse with them.
 *
 * A schema accepts what every earlier version of its writer has written, since the log keeps that.
 */
export function defineEvents<S extends Schemas>(schemas: S): Events<S> {
  const byType = new Map<string, z.ZodType<JsonObject>>(Object.entries(schemas));
  const types = new Set(byType.keys());
  const read: Events<S>['read'] = ({ type, data }) => {
    const schema = byType.get(type);
    if (!schema) throw new Error(`${type} is not one of ${[...types].join(', ')}`);
    return { type, data: schema.parse(data) } as EventIn<S>;
  };
  return {
    types,
    read,
    readThose: (recorded) => recorded.filter(({ type }) => types.has(type)).map(read),
    only: (...chosen) =>
      defineEvents(
        Object.fromEntries(chosen.map((type) => [type, schemas[type]])) as Pick<S, (typeof chosen)[number]>,
      ),
  };
}
