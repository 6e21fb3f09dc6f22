import type { Figures, Load, Machines, Numbers } from './inputs.ts';

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

/** Something that there is only one of, or that has a fixed size. */
export interface Bound {
  readonly name: string;
  /** At how many users it is reached. */
  readonly users: number;
  /** What can be turned or must be changed then. */
  readonly turn: string;
}

/** Of the whole installation, at peak where a rate is not said to be a mean. */
export interface Demand {
  readonly pagesASecond: number;
  readonly requestsASecond: number;
  readonly pushesASecond: number;
  /** Posts that are sent to open sockets. */
  readonly liveUpdatesASecond: number;
  readonly notificationsASecond: number;
  readonly eventsASecond: number;
  readonly walMbASecond: number;
  readonly networkGbit: number;
  readonly sockets: number;
  readonly archiveTbAYear: number;
  readonly growthTbAYear: number;
}

export interface Plan {
  readonly users: number;
  readonly demand: Demand;
  readonly tiers: readonly Tier[];
  /** Those that are reached at fewer users than these, the first one first. */
  readonly reached: readonly Bound[];
}

export interface Inputs {
  readonly figures: Numbers<Figures>;
  readonly load: Numbers<Load>;
  readonly machines: Numbers<Machines>;
}

const SECONDS_A_DAY = 86_400;
const DAYS_A_YEAR = 365;
const GB = 1e9;
const TB = 1e12;
/** A process of the product is one thread of JavaScript; so is what executes commands in a Redis. */
const CORES_OF_A_THREAD = 1;
/** Redis is given three quarters of its machine's memory: a fork to write its file needs the rest. */
const PART_FOR_REDIS = 0.75;
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

/** Operations a second: of pages, posts, reactions, follows and notifications. */
function ratesOf(users: number, { load }: Inputs) {
  const at = (aUserAndDay: number, peak: number): number => (users * aUserAndDay * peak) / SECONDS_A_DAY;
  const requests = load.requestsPeakToMean;
  return {
    page: at(load.readsAUserAndDay, requests),
    post: at(load.postsAUserAndDay, requests),
    reaction: at(load.reactionsAUserAndDay, requests),
    follow: at(load.newFollowsAUserAndDay, requests),
    notification: at(load.notificationsAUserAndDay, load.notificationsPeakToMean),
  };
}

export function demandOf(users: number, inputs: Inputs): Demand {
  const { figures, load } = inputs;
  const rates = ratesOf(users, inputs);
  const { page, post, reaction, follow, notification } = rates;
  const growth =
    load.postsAUserAndDay * (figures.databaseBytesAPost - figures.logBytesAnEvent) +
    load.reactionsAUserAndDay * (figures.databaseBytesAReaction - figures.logBytesAnEvent) +
    load.newFollowsAUserAndDay * (figures.databaseBytesAFollow - figures.logBytesAnEvent);
  const pushes = post * load.followsOfAUser * load.pushedPartOfPosts;
  return {
    pagesASecond: page,
    requestsASecond: page + post + reaction + follow + notification,
    pushesASecond: pushes,
    liveUpdatesASecond: pushes * load.socketsAUserAtPeak,
    notificationsASecond: notification,
    eventsASecond: post + reaction + follow,
    walMbASecond:
      (post * figures.walBytesAPost +
        reaction * figures.walBytesAReaction +
        follow * figures.walBytesAFollow +
        notification * figures.walBytesANotification) /
      1e6,
    networkGbit: (page * figures.answerBytesAPage * 8) / 1e9,
    sockets: users * load.socketsAUserAtPeak,
    archiveTbAYear:
      (users * eventsAUserAndDay(load) * DAYS_A_YEAR * figures.logBytesAnEvent * figures.archivedPartOfLog) /
      TB,
    growthTbAYear: (users * growth * DAYS_A_YEAR) / TB,
  };
}

const eventsAUserAndDay = (load: Numbers<Load>): number =>
  load.postsAUserAndDay + load.reactionsAUserAndDay + load.newFollowsAUserAndDay;

/** What Postgres holds after a year: rows that stay, the log until it is archived, deliveries until they are old. */
function diskTb(users: number, inputs: Inputs): number {
  const { figures, load } = inputs;
  const graph = users * load.followsOfAUser * figures.tableBytesAFollow;
  const log = users * eventsAUserAndDay(load) * figures.logBytesAnEvent * load.archiveAfterDays;
  const deliveries =
    users * load.notificationsAUserAndDay * figures.databaseBytesANotification * load.retentionDays;
  return (graph + log + deliveries) / TB + demandOf(users, inputs).growthTbAYear;
}

type Process = 'api' | 'worker' | 'postgres';

/** Cores that a process's operations keep busy at peak. */
function busyCores(users: number, inputs: Inputs, process: Process): number {
  const { page, post, reaction, follow, notification } = ratesOf(users, inputs);
  const [ofPage, ofPost, ofReaction, ofFollow, ofNotification] = costsOf(inputs.figures)[process];
  return (
    (page * ofPage +
      post * ofPost +
      reaction * ofReaction +
      follow * ofFollow +
      notification * ofNotification) /
    1000
  );
}

type CpuMs = readonly [page: number, post: number, reaction: number, follow: number, notification: number];

const costsOf = (f: Numbers<Figures>): Readonly<Record<Process, CpuMs>> => ({
  api: [f.apiMsAPage, f.apiMsAPost, f.apiMsAReaction, f.apiMsAFollow, f.apiMsANotification],
  worker: [0, f.workerMsAPost, f.workerMsAReaction, f.workerMsAFollow, f.workerMsANotification],
  postgres: [
    f.postgresMsAPage,
    f.postgresMsAPost,
    f.postgresMsAReaction,
    f.postgresMsAFollow,
    f.postgresMsANotification,
  ],
});

/** Of Redis: what each role keeps busy, and holds. */
function redisOf(users: number, inputs: Inputs) {
  const { figures, load } = inputs;
  const { pushesASecond, requestsASecond } = demandOf(users, inputs);
  const { page, notification, post, reaction, follow } = ratesOf(users, inputs);
  return {
    feed: {
      cores: (page * figures.redisMsAPage + pushesASecond * figures.redisMsAPush) / 1000,
      bytes: users * load.warmPartOfFeeds * figures.redisBytesAFeed,
    },
    queues: {
      cores:
        (notification * figures.redisMsANotification +
          post * figures.redisMsAPost +
          reaction * figures.redisMsAReaction +
          follow * figures.redisMsAFollow) /
        1000,
      bytes: 0,
    },
    counters: {
      cores: (requestsASecond * figures.redisMsACheck) / 1000,
      bytes: users * load.countersAUser * load.counterBytesAKey,
    },
  };
}

/** Processes of one thread each, held to how busy one may be, and by open sockets. */
export function processesOf(
  users: number,
  inputs: Inputs,
): { readonly api: number; readonly worker: number } {
  const { figures, load } = inputs;
  const { pushesASecond, liveUpdatesASecond, sockets } = demandOf(users, inputs);
  const updating = (liveUpdatesASecond * figures.apiMsALiveUpdate) / 1000;
  const pushing = (pushesASecond * figures.workerMsAPush) / 1000;
  return {
    api: Math.max(
      Math.ceil((busyCores(users, inputs, 'api') + updating) / load.busyAtMost),
      Math.ceil(sockets / figures.socketsAProcess),
    ),
    worker: Math.ceil((busyCores(users, inputs, 'worker') + pushing) / load.busyAtMost),
  };
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
  const redis = (
    name: string,
    { cores, bytes }: { readonly cores: number; readonly bytes: number },
    needs?: string,
  ): Tier => {
    const primaries = Math.max(
      1,
      Math.ceil(cores / load.busyAtMost / CORES_OF_A_THREAD),
      Math.ceil(bytes / GB / (machines.redisMemoryGb * PART_FOR_REDIS)),
    );
    return {
      name,
      cores: cores / load.busyAtMost,
      memoryGb: bytes / GB,
      diskTb: 0,
      // Each with a replica.
      machines: primaries * 2,
      ...(primaries > 1 && needs && { needs }),
    };
  };
  const { feed, queues, counters } = redisOf(users, inputs);
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
    redis('Redis: feeds', feed, 'feeds on a Redis Cluster'),
    redis('Redis: queues, wake-ups', queues, 'queues and wake-ups on several Redis'),
    redis('Redis: counters', counters),
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
      name: 'one Redis’ CPU, feeds',
      users: thread / redis.feed.cores,
      turn: 'a lower celebrity threshold and FEED_INACTIVE_DAYS=7 push less; then needs feeds on a Redis Cluster',
    },
    {
      name: 'one Redis’ CPU, queues and wake-ups',
      users: thread / redis.queues.cores,
      turn: 'needs queues and wake-ups on several Redis',
    },
    {
      name: 'one Redis’ memory',
      users:
        (machines.redisMemoryGb * GB * PART_FOR_REDIS) /
        (redis.feed.bytes + redis.queues.bytes + redis.counters.bytes),
      turn: 'more memory; FEED_INACTIVE_DAYS=7; then needs feeds on a Redis Cluster',
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
