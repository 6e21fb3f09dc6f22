import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from './config.js';
import { loadDemo } from './demo/index.js';
import { type Child, startChild } from './local/child.js';
import { freePort, isFree } from './local/free-port.js';
import { keepAuthSecret, keepDatabaseUrl } from './local/kept-files.js';
import { startPostgres } from './local/postgres.js';
import { startRedis } from './local/redis.js';
import { claim } from './local/run-lock.js';
import { welcome } from './local/welcome.js';
import { createLogger } from './platform/logging/logger.js';
import { createClient } from './platform/postgres/clients.js';
import { readable } from './platform/postgres/migration-error.js';
import { migrate } from './platform/postgres/migrations.js';
import { askRedis } from './platform/process/redis-check.js';
import { StartError } from './platform/process/start-error.js';
import { type Sandbox, startSandbox } from './sandbox/index.js';

/** Nobody is throttled by accident on a laptop. */
const ROOMY_RULES = fileURLToPath(new URL('../rules/start.yaml', import.meta.url));

/** What runs so far, in starting order; it is ended in the opposite order. */
interface Started {
  readonly closers: (() => Promise<void>)[];
  readonly children: Child[];
}

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/**
 * Everything on one machine: Postgres and Redis (unless DATABASE_URL and REDIS_URL name others), sandbox
 * providers, migrations, demo data, one api and one worker. Resolves after a signal, with everything ended.
 *
 * @throws StartError, ConfigError or MigrationError when something cannot start; then nothing is left running
 */
export async function start(env: NodeJS.ProcessEnv): Promise<void> {
  const started: Started = { closers: [], children: [] };
  const stopped = untilStopped(started);
  try {
    const running = bringUp(env, started, stopped.fail);
    await Promise.race([running.then((text) => process.stdout.write(text)), stopped.promise]);
    await stopped.promise;
  } finally {
    await endAll(started);
  }
}

async function bringUp(
  env: NodeJS.ProcessEnv,
  started: Started,
  fail: (error: Error) => void,
): Promise<string> {
  const dataDir = path.resolve(env.TIDINGS_DATA || '.tidings');
  started.closers.push(await claim(dataDir));
  const ports = await choosePorts(env);
  const [{ databaseUrl, postgresDir }, redisUrl] = await Promise.all([
    env.DATABASE_URL
      ? { databaseUrl: env.DATABASE_URL, postgresDir: undefined }
      : startDatabase(dataDir, started),
    env.REDIS_URL || startCache(dataDir, started),
  ]);
  await assertRedis(redisUrl.split(','));
  const apiUrl = `http://${ports.host}:${ports.api}`;
  const workerUrl = `http://${ports.host}:${ports.worker}`;
  const sandbox = await startProviders(ports, apiUrl, dataDir, started);
  const authSecret = env.AUTH_SECRET || (await keepAuthSecret(dataDir));
  const childEnv = {
    NODE_ENV: 'development',
    RATE_LIMIT_RULES: ROOMY_RULES,
    MEDIA_DIR: path.join(dataDir, 'media'),
    ...sandbox.environment,
    ...offersTo(env, sandbox),
    ...env,
    NODE_EXTRA_CA_CERTS: await trustBoth(dataDir, sandbox, env.NODE_EXTRA_CA_CERTS),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    AUTH_SECRET: authSecret,
    PORT: String(ports.api),
    WORKER_PORT: String(ports.worker),
  };
  const config = readConfig(childEnv);
  await migrate(databaseUrl, { say });
  if (env.TIDINGS_DEMO !== '0') await loadDemo({ databaseUrl, progress: true });
  const common = { env: childEnv, dataDir, say, onGiveUp: fail };
  const children = await Promise.allSettled([
    startChild({ ...common, name: 'api', url: apiUrl }),
    startChild({ ...common, name: 'worker', url: workerUrl }),
  ]);
  for (const child of children) if (child.status === 'fulfilled') started.children.push(child.value);
  for (const child of children) if (child.status === 'rejected') throw child.reason;
  return welcome({
    apiUrl,
    workerUrl,
    sandboxUrl: sandbox.controlUrl,
    dataDir,
    postgresDir,
    authSecret,
    pages: config.web.pages,
  });
}

/** What pages on this machine may have: the sandbox's messages, and tokens where no other machine reaches the api. */
function offersTo(env: NodeJS.ProcessEnv, sandbox: Sandbox): Record<string, string> {
  if (env.NODE_ENV === 'production') return {};
  const isPrivate = /^(127\.|::1$|localhost$)/.test(env.HOST || '127.0.0.1');
  return { SANDBOX_URL: sandbox.controlUrl, ...(isPrivate && { DEMO_TOKENS: 'true' }) };
}

/** One file of authorities: the sandbox's own, and those that the machine's owner trusts. */
async function trustBoth(dataDir: string, sandbox: Sandbox, owners: string | undefined): Promise<string> {
  const file = path.join(dataDir, 'authorities.pem');
  await writeFile(file, [sandbox.ca, owners ? await readFile(owners, 'utf8') : ''].join('\n'));
  return file;
}

type Ports = Awaited<ReturnType<typeof choosePorts>>;

async function choosePorts(env: NodeJS.ProcessEnv) {
  const listen = env.HOST || '127.0.0.1';
  const taken = async (variable: string, standard?: number): Promise<number> => {
    const port = Number(env[variable] || standard || (await freePort()));
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new StartError(`${variable} is not a port: ${env[variable]}`);
    if (port === 0) return freePort();
    if (await isFree(port, listen)) return port;
    throw new StartError(`port ${port} is taken: stop what listens there, or set ${variable}`);
  };
  return {
    /** Where this machine reaches what listens. */
    host: listen === '0.0.0.0' || listen === '::' ? '127.0.0.1' : listen,
    api: await taken('PORT', 4000),
    worker: await taken('WORKER_PORT'),
    sandbox: await taken('SANDBOX_PORT', 4010),
  };
}

/** @throws StartError where nobody answers there */
async function assertRedis(urls: readonly string[]): Promise<void> {
  await askRedis(urls).catch((cause: unknown) => {
    throw new StartError(`the Redis of REDIS_URL cannot be used: ${readable(cause)}`, { cause });
  });
}

async function startDatabase(dataDir: string, started: Started) {
  const server = await startPostgres({ dataDir: path.join(dataDir, 'postgres'), say });
  started.closers.push(server.stop);
  const client = createClient(server.url, { applicationName: 'tidings start', timeouts: {} });
  await client.connect();
  const { rowCount } = await client.query(`SELECT 1 FROM pg_database WHERE datname = 'tidings'`);
  if (!rowCount) await client.query('CREATE DATABASE tidings');
  await client.end();
  const databaseUrl = server.url.replace(/\/postgres$/, '/tidings');
  started.closers.push(await keepDatabaseUrl(dataDir, databaseUrl));
  return { databaseUrl, postgresDir: server.folder };
}

async function startCache(dataDir: string, started: Started): Promise<string> {
  const server = await startRedis({
    dataDir: path.join(dataDir, 'redis'),
    persistent: true,
    keptUp: true,
    say,
  });
  started.closers.push(server.stop);
  return server.url;
}

async function startProviders(
  ports: Ports,
  apiUrl: string,
  dataDir: string,
  started: Started,
): Promise<Sandbox> {
  const logger = createLogger('sandbox', 'warn');
  const sandbox = await startSandbox({
    controlPort: ports.sandbox,
    // The same after a restart where it can be: subscriptions of browsers name it.
    providerPort: ports.sandbox < 65_535 ? ports.sandbox + 1 : 0,
    host: ports.host,
    dataDir,
    logger,
  });
  sandbox.setApiUrl(apiUrl);
  started.closers.push(sandbox.close);
  return sandbox;
}

/** The first signal ends everything in order; a second one at once. The servers end with this process. */
function untilStopped(started: Started) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let asked = false;
  const onSignal = (): void => {
    if (asked) {
      for (const child of started.children) child.kill();
      process.exit(130);
    }
    asked = true;
    say('stopping');
    resolve();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  // The parent that started this process with a channel has died.
  process.once('disconnect', onSignal);
  return { promise, fail: reject };
}

async function endAll({ children, closers }: Started): Promise<void> {
  await Promise.all(children.map((child) => child.stop()));
  for (const close of closers.reverse()) await close();
  if (closers.length > 0) say('stopped');
}
