import type { RecordedEvent } from '../../platform/event-log/index.js';

/**
 * The model that an event changes.
 *
 * @throws where there is none: a projector stalls at the event rather than lose it
 */
export function mustExist<Model>(
  model: Model | null | undefined,
  { type, streamId }: Pick<RecordedEvent, 'type' | 'streamId'>,
): Model {
  if (!model) throw new Error(`${type} in ${streamId}, which the read model does not have`);
  return model;
}
