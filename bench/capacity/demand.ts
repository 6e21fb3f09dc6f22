import type { Figures, Load, Machines, Numbers } from './inputs.ts';

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

export interface Inputs {
  readonly figures: Numbers<Figures>;
  readonly load: Numbers<Load>;
  readonly machines: Numbers<Machines>;
}

const SECONDS_A_DAY = 86_400;
const DAYS_A_YEAR = 365;
export const GB = 1e9;
const TB = 1e12;
/** A process of the product is one thread of JavaScript; so is what executes commands in a Redis. */
export const CORES_OF_A_THREAD = 1;
/** Redis is given three quarters of its machine's memory: a fork to write its file needs the rest. */
export const PART_FOR_REDIS = 0.75;

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
export function diskTb(users: number, inputs: Inputs): number {
  const { figures, load } = inputs;
  const graph = users * load.followsOfAUser * figures.tableBytesAFollow;
  const log = users * eventsAUserAndDay(load) * figures.logBytesAnEvent * load.archiveAfterDays;
  const deliveries =
    users * load.notificationsAUserAndDay * figures.databaseBytesANotification * load.retentionDays;
  return (graph + log + deliveries) / TB + demandOf(users, inputs).growthTbAYear;
}

type Process = 'api' | 'worker' | 'postgres';

/** Cores that a process's operations keep busy at peak. */
export function busyCores(users: number, inputs: Inputs, process: Process): number {
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
export function redisOf(users: number, inputs: Inputs) {
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
