import { pino } from 'pino';
import type { TestContext } from 'vitest';
import { openBlockingRedis, openRedis, type Redis } from '../../src/platform/redis/redis.js';
import { type StreamKeys, streamOf } from '../../src/platform/wake-ups/wake-up-stream.js';
import {
  createWakeUpHub,
  createWakeUpPublisher,
  type Listener,
  openSubscriptions,
  type WakeUpHub,
  type WakeUpPublisher,
} from '../../src/platform/wake-ups/wake-ups.js';
import { startTestRedis } from '../support/redis.js';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.js';

export const silent = pino({ level: 'silent' });

/** A hub that hears, behind a proxy, on a Redis of the test's own. */
export interface WakeUpWorld {
  readonly url: string;
  /** To Redis, past the proxy. */
  readonly direct: Redis;
  readonly publisher: WakeUpPublisher;
  readonly proxy: FaultyProxy;
  /** The hub's own connection. */
  readonly reader: Redis;
  readonly hub: WakeUpHub;
  /** Of the hub's stream, which is another after each loss. */
  keys(): Promise<StreamKeys>;
  /** The blocking read that is on its way has answered, so that nothing is published into it. */
  readHasEnded(): Promise<void>;
}

/** Closed with its test. */
export async function openWakeUps({ expect, onTestFinished }: TestContext): Promise<WakeUpWorld> {
  const server = await startTestRedis();
  onTestFinished(() => server.stop());
  const direct = openRedis([server.url], () => undefined);
  const publisher = createWakeUpPublisher(direct);
  const proxy = await startFaultyProxy(server.url);
  const reader = openBlockingRedis([proxy.url], () => undefined);
  const hub = createWakeUpHub(reader, openSubscriptions(direct), silent);
  onTestFinished(async () => {
    hub.close();
    direct.disconnect();
    await proxy.close();
  });
  await hub.ready;
  // One that was heard shows that the hub is waiting for the next.
  const probe = await hub.listen('probe');
  await publisher.publish([{ topics: ['probe'], payload: {} }]);
  await probe.next();
  probe.close();
  return {
    url: server.url,
    direct,
    publisher,
    proxy,
    reader,
    hub,
    async keys() {
      const [counter] = await direct.keys('tidings:wake-ups:{*}:counter');
      return streamOf(/\{(.+)\}/.exec(counter!)![1]!);
    },
    async readHasEnded() {
      let looks = 0;
      await expect
        .poll(async () => {
          const isBlocked = /flags=\w*b/.test(String(await direct.client('LIST')));
          looks = isBlocked ? 0 : looks + 1;
          return looks;
        })
        .toBeGreaterThan(3);
    },
  };
}

/** Past any `missed`: the payload that is heard next. */
export async function nextPayload(listener: Listener): Promise<unknown> {
  for (;;) {
    const heard = await listener.next();
    if (heard?.kind !== 'missed') return heard?.payload;
  }
}
