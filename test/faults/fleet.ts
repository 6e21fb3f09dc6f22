import { isAlive } from '../../src/local/processes.js';
import { type SandboxTrial, tryWithSandbox } from '../notifications/with-sandbox.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { skewedClock } from '../support/skewed-clock.js';
import { type FleetPostgres, startFleetPostgres } from './fleet-postgres.js';

/** A process of the product that a test kills, freezes and starts again. */
export interface FleetProcess {
  readonly name: string;
  readonly url: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it after `kill`, and waits until it is ready. */
  restart(): Promise<void>;
  /** SIGTERM; answers how it ended. */
  drain(): Promise<number | NodeJS.Signals>;
  freeze(): void;
  thaw(): void;
  isRunning(): boolean;
  /** Whether it runs although the test wants it to, or the other way round: what it said last, or undefined. */
  surprise(): string | undefined;
  output(): string;
}

/** Where the processes of a fleet keep what they keep in Redis. */
export interface FleetServer {
  /** As `REDIS_URL` has it. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Several apis and workers as real processes, on a Postgres, a Redis and providers of their own. */
export interface Fleet<Server extends FleetServer = FleetServer> {
  readonly apis: readonly FleetProcess[];
  readonly workers: readonly FleetProcess[];
  readonly postgres: FleetPostgres;
  readonly redis: Server;
  readonly sandbox: SandboxTrial;
  /** The wall clocks of the last api and the last worker are ahead by so much, for as long as nothing else is said. */
  shiftClocks(byMs: number): Promise<void>;
  /** Starts each process again that has ended, and thaws the others. */
  revive(): Promise<void>;
  close(): Promise<void>;
}

/** Close it in `afterAll`. */
export async function openFleet<Server extends FleetServer>(
  startRedis: () => Promise<Server>,
  { apis: apiCount = 2, workers: workerCount = 2 } = {},
): Promise<Fleet<Server>> {
  const clock = await skewedClock();
  const toClose: (() => unknown)[] = [clock.remove];
  async function close(): Promise<void> {
    for (const one of toClose.splice(0).reverse()) await one();
  }
  try {
    const [postgres, redis, sandbox] = await Promise.all([
      startFleetPostgres(),
      startRedis(),
      tryWithSandbox(),
    ]);
    toClose.push(postgres.close, redis.stop, sandbox.close);
    const env = { ...sandbox.sandbox.environment, DATABASE_POOL_MAX: '6' };
    const shifted = { ...env, ...clock.env };
    const at = (isLast: boolean, more = {}) => ({
      databaseUrl: postgres.url,
      redisUrl: redis.url,
      env: { ...(isLast ? shifted : env), ...more },
    });
    async function many(
      name: string,
      count: number,
      start: typeof startApi,
      more?: object,
    ): Promise<FleetProcess[]> {
      const started = await Promise.all(
        Array.from({ length: count }, async (_, index) => {
          const one = await start(at(index === count - 1, more));
          toClose.push(() => one.kill('SIGKILL'));
          return one;
        }),
      );
      return started.map((one, index) => fleetProcess(`${name} ${index}`, one));
    }
    const apis = await many('api', apiCount, startApi);
    // Providers call back to the first api, as they would to the one address of all of them.
    const workers = await many('worker', workerCount, startWorker, { BASE_URL: apis[0]!.url });
    sandbox.sandbox.setApiUrl(apis[0]!.url);
    return {
      apis,
      workers,
      postgres,
      redis,
      sandbox,
      shiftClocks: clock.set,
      async revive() {
        for (const one of [...apis, ...workers]) {
          if (one.isRunning()) one.thaw();
          else await one.restart();
        }
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function fleetProcess(name: string, process_: TestProcess): FleetProcess {
  let wanted = true;
  const toProcess = (signal: NodeJS.Signals): void => void process.kill(process_.pid, signal);
  return {
    name,
    url: process_.url,
    async kill() {
      wanted = false;
      await process_.kill('SIGKILL');
    },
    async restart() {
      await process_.restart();
      wanted = true;
    },
    async drain() {
      wanted = false;
      return process_.kill('SIGTERM');
    },
    freeze: () => toProcess('SIGSTOP'),
    thaw: () => toProcess('SIGCONT'),
    isRunning: () => isAlive(process_.pid),
    surprise: () =>
      wanted && !isAlive(process_.pid) ? `${name} ended: ${lastWords(process_.output())}` : undefined,
    output: () => process_.output(),
  };
}

/** What it said last besides its log. */
const lastWords = (output: string): string =>
  output
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('{'))
    .slice(-20)
    .join('\n');
