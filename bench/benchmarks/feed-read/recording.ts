import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** One page's commands to Redis, by the round trip that they travel in. */
export type Trips = readonly (readonly (readonly string[])[])[];

/** By what a command's keys are called: what waits for what is the same in every page. */
const tripOf = (command: readonly string[]): number => {
  const keys = command.slice(1, 8).join(' ');
  if (/:limit:/.test(keys)) return 0;
  if (/:outbox/.test(keys)) return 2;
  if (/:post:/.test(keys)) return 3;
  return /:author:|\{counts\}/.test(keys) ? 4 : 1;
};

/** What a page sends; the api's ear for news, which waits in a command of its own, is none of it. */
const isOfPage = (command: readonly string[]): boolean =>
  /^(get|mget|set|evalsha)$/i.test(command[0] ?? '') && /tidings/.test(command.join(' '));

/** Listens to a Redis while `work` reads one page: which commands it was sent, without those inside scripts. */
export async function recordTrips(redisUrl: string, work: () => Promise<unknown>): Promise<Trips> {
  const client = new Redis(redisUrl);
  const monitor = await client.monitor();
  const heard: string[][] = [];
  monitor.on('monitor', (_time: string, command: string[], source: string) => {
    if (source !== 'lua' && isOfPage(command)) heard.push(command);
  });
  await work();
  await pause(100);
  monitor.disconnect();
  client.disconnect();
  const trips = Map.groupBy(heard, tripOf);
  return [...trips].sort(([a], [b]) => a - b).map(([, commands]) => commands);
}
