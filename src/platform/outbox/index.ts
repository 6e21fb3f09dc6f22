export { defineOutboxKind, type OutboxEntry, type OutboxKind, type Relay } from './kind.js';
export { createOutbox, type Outbox } from './outbox.js';
export { SWEEP_EVERY_MS, sweepOf, sweepOutbox } from './sweep.js';
