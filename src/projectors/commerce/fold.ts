import type { RecordedEvent } from '../../platform/event-log/index.js';
import type { Queryable, Statement } from '../../platform/postgres/postgres.js';
import type { WakeUpPublisher } from '../../platform/wake-ups/wake-ups.js';

/** A model with the global position of the last event in it, as its table has them. */
export type Stored<Model> = Model & { readonly lastEventPosition: number };

/** The models that a batch of events concerns. */
export interface Fold<Model> {
  /** The model as it stands by now. */
  get(key: string): Model | undefined;
  /**
   * Changes one model by an event, unless the model has it already: an event counts only where the model's last event lies
   * before it.
   *
   * @param change answers the model after the event; undefined: the event does not concern it
   */
  apply(
    key: string,
    event: Pick<RecordedEvent, 'globalPosition'>,
    change: (model: Model | undefined) => Model | undefined,
  ): void;
  /** What to write, each once, however many events changed it. */
  changed(): Stored<Model>[];
}

/**
 * Folds events into models one after the other, in log order, so that it does not matter where batches are cut. A
 * projector has one holder, so nobody else writes the rows between their reading and their writing.
 *
 * @param read answers those of the models that there are; its one parameter is their keys
 * @param keys of the models that the events concern, each as often as it likes
 */
export async function startFold<Model extends object>(
  tx: Queryable,
  read: Statement<Stored<Model>>,
  keys: readonly string[],
  keyOf: (model: Model) => string,
): Promise<Fold<Model>> {
  const { rows } = await tx.query(read, [[...new Set(keys)]]);
  const models = new Map(rows.map((row) => [keyOf(row), row]));
  const changed = new Set<string>();
  return {
    get: (key) => models.get(key),
    apply(key, { globalPosition }, change) {
      const model = models.get(key);
      if (model && model.lastEventPosition >= globalPosition) return;
      const after = change(model);
      if (!after) return;
      models.set(key, { ...after, lastEventPosition: globalPosition });
      changed.add(key);
    },
    changed: () => [...changed].map((key) => models.get(key)!),
  };
}

/** Wakes those who wait for a version of what has changed, or follow it. */
export const publishVersions =
  <Model extends { readonly version: number }>(
    wakeUps: WakeUpPublisher,
    changed: readonly Model[],
    topicOf: (model: Model) => string,
  ) =>
  (): Promise<void> =>
    wakeUps.publish(
      changed.map((model) => ({ topics: [topicOf(model)], payload: { version: model.version } })),
    );
