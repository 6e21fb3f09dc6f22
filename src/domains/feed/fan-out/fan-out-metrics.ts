import { Counter, Histogram, type Registry } from 'prom-client';

/** What monitoring sees of `fanout.complete` (feed document, Events). */
export interface FanOutMetrics {
  completed(fanOut: { readonly seconds: number; readonly followers: number; readonly pushed: number }): void;
}

export function createFanOutMetrics(registry: Registry): FanOutMetrics {
  const registers = [registry];
  const seconds = new Histogram({
    name: 'feed_fan_out_seconds',
    help: 'From the noted fan-out of a post to the last feed',
    buckets: [0.05, 0.1, 0.3, 1, 3, 5, 10, 30, 100],
    registers,
  });
  const followers = new Counter({
    name: 'feed_fan_out_followers_total',
    help: 'Followers whom finished fan-outs came to',
    labelNames: ['feed'],
    registers,
  });
  return {
    completed(fanOut) {
      seconds.observe(fanOut.seconds);
      followers.inc({ feed: 'warm' }, fanOut.pushed);
      followers.inc({ feed: 'cold' }, fanOut.followers - fanOut.pushed);
    },
  };
}
