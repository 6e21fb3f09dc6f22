import { type Child, startChild } from '../../harness/child.ts';
import type { ProducerMethods } from './producer-process.ts';

/** A process that asks an api to notify people. */
export const startProducer = (): Child<ProducerMethods> =>
  startChild<ProducerMethods>(new URL('./producer-process.ts', import.meta.url));
