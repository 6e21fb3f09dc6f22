import { type Bound, boundsOf } from './bounds.ts';
import {
  busyCores,
  CORES_OF_A_THREAD,
  type Demand,
  demandOf,
  diskTb,
  GB,
  type Inputs,
  PART_FOR_REDIS,
  processesOf,
  redisOf,
} from './demand.ts';

/** What one kind of process or server needs at peak, and how many machines of the stated size that is. */
export interface Tier {
  readonly name: string;
  /** Busy at peak, divided by how busy one may be. */
  readonly cores: number;
  readonly memoryGb: number;
  readonly diskTb: number;
  readonly machines: number;
  /** What tidings does not do today and this number of machines takes for granted. */
  readonly needs?: string;
}

export interface Plan {
  readonly users: number;
  readonly demand: Demand;
  readonly tiers: readonly Tier[];
  /** Those that are reached at fewer users than these, the first one first. */
  readonly reached: readonly Bound[];
}

/** One more, on which the others' work fits when a machine is lost. */
const SPARE = 1;

/** Everything that an installation for so many users needs. */
export function planFor(users: number, inputs: Inputs): Plan {
  return {
    users,
    demand: demandOf(users, inputs),
    tiers: tiersOf(users, inputs),
    reached: boundsOf(inputs).filter((bound) => bound.users < users),
  };
}

interface OfRedis {
  readonly cores: number;
  readonly bytes: number;
}

function tiersOf(users: number, inputs: Inputs): Tier[] {
  const { figures, load, machines } = inputs;
  const demand = demandOf(users, inputs);
  const processes = processesOf(users, inputs);
  const application = (name: string, count: number, bytes: number, gbit: number): Tier => {
    const memoryGb = bytes / GB;
    const machinesFor = Math.max(
      Math.ceil(count / machines.applicationCores),
      Math.ceil(memoryGb / machines.applicationMemoryGb),
      Math.ceil(gbit / machines.networkGbitAMachine / load.busyAtMost),
    );
    return { name, cores: count, memoryGb, diskTb: 0, machines: machinesFor + SPARE };
  };
  const primariesFor = ({ cores, bytes }: OfRedis): number =>
    Math.max(
      1,
      Math.ceil(cores / load.busyAtMost / CORES_OF_A_THREAD),
      Math.ceil(bytes / GB / (machines.redisMemoryGb * PART_FOR_REDIS)),
    );
  const redis = (name: string, { cores, bytes }: OfRedis, primaries: number): Tier => ({
    name,
    cores: cores / load.busyAtMost,
    memoryGb: bytes / GB,
    diskTb: 0,
    // Each with a replica.
    machines: primaries * 2,
  });
  const { feed, queues, counters } = redisOf(users, inputs);
  const both = { cores: feed.cores + queues.cores, bytes: feed.bytes + queues.bytes };
  const fits = primariesFor(both) === 1;
  const disk = diskTb(users, inputs);
  const cores = busyCores(users, inputs, 'postgres') / load.busyAtMost;
  const primaries = Math.max(
    Math.ceil(cores / machines.postgresCores),
    Math.ceil(disk / machines.postgresDiskTb),
    Math.ceil(demand.walMbASecond / machines.postgresWalMbASecond),
    Math.ceil(demand.eventsASecond / figures.appendsASecond),
  );
  return [
    application(
      'api',
      processes.api,
      processes.api * figures.memoryBytesAProcess + demand.sockets * figures.memoryBytesASocket,
      demand.networkGbit,
    ),
    application('worker', processes.worker, processes.worker * figures.memoryBytesAProcess, 0),
    redis('Redis: feeds, queues, wake-ups', both, fits ? 1 : primariesFor(feed) + primariesFor(queues)),
    redis('Redis: counters', counters, primariesFor(counters)),
    {
      name: 'Postgres',
      cores,
      memoryGb: 0,
      diskTb: disk,
      // Each with a standby.
      machines: primaries * 2,
      ...(primaries > 1 && { needs: 'data on several Postgres, with a log each' }),
    },
  ];
}
