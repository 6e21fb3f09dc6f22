import { Counter, Histogram, type Registry } from 'prom-client';
import type { Media } from '../types.js';
import type { FailureReason } from './derive.js';

/** Metrics of the processing of uploads. */
export interface MediaMetrics {
  /** @param seconds since the run began that ended it */
  processed(kind: Media['kind'], failureReason: FailureReason | null, seconds: number): void;
}

export function createMediaMetrics(registry: Registry): MediaMetrics {
  const registers = [registry];
  const processed = new Counter({
    name: 'feed_media_processed_total',
    help: 'Uploads that are ready, or that failed and why',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'feed_media_processing_seconds',
    help: 'What making the files of one upload took',
    labelNames: ['kind'],
    buckets: [0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000],
    registers,
  });
  return {
    processed(kind, failureReason, took) {
      processed.inc({ kind, outcome: failureReason ?? 'ready' });
      seconds.observe({ kind }, took);
    },
  };
}
