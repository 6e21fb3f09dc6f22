export {
  causedBy,
  createOutbox,
  defineOutboxKind,
  type Outbox,
  type OutboxEntry,
  type OutboxKind,
  type Relay,
} from './outbox.js';
export { SWEEP_EVERY_MS, sweepOf, sweepOutbox } from './sweep.js';
