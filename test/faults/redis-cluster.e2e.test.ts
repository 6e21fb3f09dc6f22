import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { keysOf } from '../../src/platform/queues/queues.js';
import { ONE_OF_EACH } from './fleet.js';
import { type FleetCluster, startFleetCluster } from './fleet-cluster.js';
import type { FleetDatabase } from './fleet-postgres.js';
import { FAULT_MS, openTrial, TRIED_MS, type Trial } from './trial.js';

/** Of the queue that every post goes through. */
const OF_A_QUEUE = `${keysOf('feed.fan-out')}:meta`;

let trial: Trial<FleetDatabase, FleetCluster>;
beforeAll(async () => {
  trial = await openTrial({ ...ONE_OF_EACH, startRedis: startFleetCluster });
}, 240_000);
afterAll(() => trial?.close(), 60_000);

const cluster = () => trial.fleet.redis;

/** Another node has the slots of what was ended or frozen. */
const untilItsReplicaServes = (key: string, before: number): Promise<void> =>
  vi.waitFor(async () => expect(await cluster().ownerOf(key)).not.toBe(before), {
    timeout: 30_000,
    interval: 100,
  });

/** Moves all slots with keys that a node has to the next one. */
async function moveSlotsFrom(node: number): Promise<number> {
  const keys = await cluster().keys();
  const owners = [...new Set(keys.map(({ owner }) => owner))].toSorted();
  const next = owners[(owners.indexOf(node) + 1) % owners.length]!;
  const own = keys.filter(({ owner }) => owner === node);
  for (const { key } of own) await cluster().moveSlot(key, next);
  return own.length;
}

describe('what is accepted is kept once, what is hidden stays hidden, every subscriber hears each event once', {
  timeout: TRIED_MS,
}, () => {
  it('a node of a Redis Cluster is killed', () =>
    trial.endure(async () => {
      const owner = await cluster().ownerOf(OF_A_QUEUE);
      await cluster().kill(owner);
      await untilItsReplicaServes(OF_A_QUEUE, owner);
      await pause(FAULT_MS);
      await cluster().restart(owner);
    }));

  it('every node of a Redis Cluster is killed, one after the other', () =>
    trial.endure(async () => {
      for (let index = 0; index < cluster().nodes.length; index += 1) {
        await cluster().kill(index);
        await pause(FAULT_MS);
        await cluster().restart(index);
      }
    }));

  it('a node of a Redis Cluster is frozen, and its replica takes over', () =>
    trial.endure(async () => {
      const owner = await cluster().ownerOf(OF_A_QUEUE);
      cluster().freeze(owner);
      try {
        await untilItsReplicaServes(OF_A_QUEUE, owner);
        await pause(FAULT_MS);
      } finally {
        cluster().thaw(owner);
      }
    }));

  it('slots of a Redis Cluster move to another node', () =>
    trial.endure(async () => {
      const owner = await cluster().ownerOf(OF_A_QUEUE);
      await cluster().moveSlot(OF_A_QUEUE, (await anotherThan(owner))!, () => pause(FAULT_MS / 2));
      expect(await moveSlotsFrom(owner)).toBeGreaterThan(0);
    }));

  it('a Redis Cluster forgets everything', () =>
    trial.endure(async () => {
      for (let times = 0; times < 4; times += 1) {
        await cluster().flush();
        await pause(FAULT_MS / 4);
      }
    }));
});

async function anotherThan(node: number): Promise<number | undefined> {
  return (await cluster().keys()).find(({ owner }) => owner !== node)?.owner;
}
