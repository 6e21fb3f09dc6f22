import {
  busyCores,
  CORES_OF_A_THREAD,
  demandOf,
  diskTb,
  GB,
  type Inputs,
  PART_FOR_REDIS,
  processesOf,
  redisOf,
} from './demand.ts';

/** Something that there is only one of, or that has a fixed size. */
export interface Bound {
  readonly name: string;
  /** At how many users it is reached. */
  readonly users: number;
  /** What can be turned or must be changed then. */
  readonly turn: string;
}

/** Everything that there is one of, by how many users reach it. All demand grows with users, so one user says it. */
export function boundsOf(inputs: Inputs): Bound[] {
  const { figures, load, machines } = inputs;
  const one = demandOf(1, inputs);
  const redis = redisOf(1, inputs);
  const thread = CORES_OF_A_THREAD * load.busyAtMost;
  // An installation of a million: processes are whole ones.
  const many = processesOf(1e6, inputs);
  const connections = (many.api * figures.connectionsAnApi + many.worker * figures.connectionsAWorker) / 1e6;
  const bounds: Bound[] = [
    {
      name: 'one Redis’ CPU, all roles together',
      users: thread / (redis.feed.cores + redis.queues.cores + redis.counters.cores),
      turn: 'RATE_LIMIT_REDIS_URL: a Redis or a Cluster for counters',
    },
    {
      name: 'one Redis’ CPU, feeds and queues',
      users: thread / (redis.feed.cores + redis.queues.cores),
      turn: 'REDIS_FEED_URL: a Redis for feeds alone; FEED_INACTIVE_DAYS=7 pushes less',
    },
    {
      name: 'one Redis’ CPU, feeds',
      users: thread / redis.feed.cores,
      turn: 'REDIS_FEED_URL: a Cluster',
    },
    {
      name: 'one Redis’ CPU, queues and wake-ups',
      users: thread / redis.queues.cores,
      turn: 'REDIS_QUEUE_URL, REDIS_URL: a Cluster each',
    },
    {
      name: 'one Redis’ memory',
      users:
        (machines.redisMemoryGb * GB * PART_FOR_REDIS) /
        (redis.feed.bytes + redis.queues.bytes + redis.counters.bytes),
      turn: 'more memory; FEED_INACTIVE_DAYS=7; REDIS_FEED_URL: a Cluster',
    },
    {
      name: 'one append lock',
      users: figures.appendsASecond / one.eventsASecond,
      turn: 'needs a log in parts, each with positions of its own',
    },
    {
      name: 'one Postgres’ CPU',
      users: (machines.postgresCores * load.busyAtMost) / busyCores(1, inputs, 'postgres'),
      turn: 'a larger machine; then needs reads on replicas, or data on several Postgres',
    },
    {
      name: 'one Postgres’ WAL',
      users: machines.postgresWalMbASecond / one.walMbASecond,
      turn: 'faster disks; then needs data on several Postgres',
    },
    {
      name: 'one Postgres’ disk, after a year',
      users: machines.postgresDiskTb / diskTb(1, inputs),
      turn: 'EVENT_ARCHIVE_AFTER_DAYS, RETENTION_DAYS; then needs data on several Postgres',
    },
    {
      name: 'connections to Postgres',
      users: machines.postgresConnections / connections,
      turn: 'a pool in transaction mode for apis, a smaller DATABASE_POOL_MAX',
    },
  ];
  return bounds.toSorted((a, b) => a.users - b.users);
}
