#!/usr/bin/env node
import './node-version.js';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Config, readConfig } from './config.js';
import { ConfigError } from './platform/config.js';
import { MigrationError } from './platform/postgres/migration-error.js';
import { outputTaken } from './platform/process/shutdown.js';
import { StartError } from './platform/process/start-error.js';
import { startSmall } from './small-start.js';

// Each command loads its own part when it runs: `token` need not wait for a GraphQL schema.
const program = new Command('tidings').description(
  'feeds, notifications, commerce and rate limits behind one API',
);

program
  .command('start')
  .description('everything on this machine: databases, sandbox providers, one api, one worker')
  .action(async () => {
    const { start } = await forDevelopment(import('./start.js'));
    await start(process.env);
    process.exit(0);
  });

program
  .command('api')
  .description('one api process: HTTP, GraphQL, WebSocket')
  .action(() => runUntilStopped(async () => (await import('./api.js')).runApi));

program
  .command('worker')
  .description('one worker process: jobs, projectors, schedules')
  .action(() => runUntilStopped(async () => (await import('./worker.js')).runWorker));

program
  .command('migrate')
  .description('bring the database of DATABASE_URL up to date')
  .action(async () => {
    const [{ migrate }, { readStartupTimeout }, { waitForPostgres }, { assertSessions }] = await Promise.all([
      import('./platform/postgres/migrations.js'),
      import('./platform/config.js'),
      import('./platform/process/startup.js'),
      import('./platform/postgres/servers-check.js'),
    ]);
    const logger = { warn: (_: object, message: string) => say(message) };
    await waitForPostgres(databaseUrl(), readStartupTimeout(process.env), logger);
    await assertSessions(
      databaseUrl(),
      process.env.DATABASE_DIRECT_URL ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL',
    );
    const { migrations, functionsReplaced } = await migrate(databaseUrl(), { say });
    print(
      `${migrations.length} migrations applied, functions ${functionsReplaced ? 'replaced' : 'unchanged'}`,
    );
  });

program
  .command('seed')
  .description('load the demo data into the database of DATABASE_URL')
  .action(async () => {
    const { loadDemo } = await forDevelopment(import('./demo/index.js'));
    await loadDemo({ databaseUrl: databaseUrl(), progress: true });
  });

program
  .command('restore-events')
  .description('bring archived events back into the database of DATABASE_URL, from a position of the log on')
  .argument('<position>', 'the first position that is wanted', parsePosition)
  .action(async (position: number) => {
    const [{ readArchiveTarget }, { restoreEventsOf }] = await Promise.all([
      import('./platform/config.js'),
      import('./platform/event-log/archive/restore.js'),
    ]);
    const restored = await restoreEventsOf(databaseUrl(), readArchiveTarget(process.env), position, say);
    print(`${restored} partitions restored`);
  });

program
  .command('token')
  .description('print a token for the API, signed with AUTH_SECRET or the secret that `start` keeps')
  .requiredOption('--user <id>', 'who it speaks for')
  .option('--roles <list>', 'comma-separated: user, producer, admin', parseRoles, ['user'])
  .option('--plan <name>', 'the plan that the token claims', 'free')
  .addOption(
    new Option('--expires-in <seconds>', 'how long it is good').argParser(parseSeconds).default(24 * 3600),
  )
  .action(printToken);

const apiKey = program
  .command('api-key')
  .description('keys for other programs, in the database of DATABASE_URL or the one that `start` runs');

apiKey
  .command('create')
  .description('make a key and print it, this once')
  .requiredOption('--user <id>', 'who it speaks for')
  .option('--roles <list>', 'comma-separated: user, producer, admin', parseRoles, ['user'])
  .option('--plan <name>', 'the plan that it is on', 'free')
  .action(async ({ user: userId, roles, plan }: { user: string; roles: Role[]; plan: string }) => {
    const { createKey } = await import('./platform/auth/api-key-commands.js');
    print(await createKey(await databaseUrlOrKept(), { userId, roles, plan }));
  });

apiKey
  .command('list')
  .description('print a table of all keys, without their secrets')
  .option('--user <id>', 'only those that speak for one user')
  .action(async ({ user }: { user?: string }) => {
    const { tableOfKeys } = await import('./platform/auth/api-key-commands.js');
    print(await tableOfKeys(await databaseUrlOrKept(), user));
  });

apiKey
  .command('revoke')
  .description('revoke a key: within a minute nobody accepts it')
  .argument('<apiKeyId>', 'its id')
  .action(async (apiKeyId: string) => {
    const { revokeKey } = await import('./platform/auth/api-key-commands.js');
    print(`${await revokeKey(await databaseUrlOrKept(), apiKeyId)} is revoked`);
  });

type Role = (typeof roles)[number];
const roles = ['user', 'producer', 'admin'] as const;

async function printToken(options: {
  user: string;
  roles: Role[];
  plan: string;
  expiresIn: number;
}): Promise<void> {
  const [{ claimFaults, LONGEST_LIFE_MS, signToken }, { readAuthSecret }] = await Promise.all([
    import('./platform/auth/auth.js'),
    import('./local/kept-files.js'),
  ]);
  const { user: userId, roles, plan, expiresIn: expiresInSeconds } = options;
  const faults = claimFaults(userId, plan).map(({ message }) => message);
  if (expiresInSeconds * 1000 > LONGEST_LIFE_MS) faults.push('A token is good for ten years at most');
  if (faults.length > 0) throw new ConfigError(faults);
  const dataDir = process.env.TIDINGS_DATA || '.tidings';
  const secret = process.env.AUTH_SECRET || (await readAuthSecret(dataDir));
  // A secret made here would sign tokens that no api accepts.
  if (!secret) throw new ConfigError([`AUTH_SECRET is missing, and no \`start\` has run on ${dataDir}`]);
  print(await signToken(secret, { userId, roles, plan, expiresInSeconds }));
}

function parseRoles(text: string): Role[] {
  const isRole = (name: string): name is Role => (roles as readonly string[]).includes(name);
  const names = text.split(',').map((name) => name.trim());
  if (!names.every(isRole)) throw new InvalidArgumentError(`Roles are ${roles.join(', ')}.`);
  return names;
}

function parsePosition(text: string): number {
  const position = Number(text);
  if (!Number.isSafeInteger(position) || position < 1)
    throw new InvalidArgumentError('A position of the log, 1 or more.');
  return position;
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 1) throw new InvalidArgumentError('Whole seconds, at least 1.');
  return seconds;
}

/** To the server itself: what commands do wants a session. */
function databaseUrl(): string {
  const url = process.env.DATABASE_DIRECT_URL || process.env.DATABASE_URL;
  if (!url) throw new ConfigError(['DATABASE_URL is missing']);
  return url;
}

async function databaseUrlOrKept(): Promise<string> {
  const { readDatabaseUrl } = await import('./local/kept-files.js');
  const dataDir = process.env.TIDINGS_DATA || '.tidings';
  const url = process.env.DATABASE_DIRECT_URL || process.env.DATABASE_URL || (await readDatabaseUrl(dataDir));
  if (!url) throw new ConfigError([`DATABASE_URL is missing, and no \`start\` runs on ${dataDir}`]);
  return url;
}

/** Starts a process that runs until it is stopped. @param load gives what starts it: it is loaded once the environment is read */
async function runUntilStopped(load: () => Promise<(config: Config) => Promise<string>>): Promise<void> {
  // A child of `start` whose parent dies before the child can drain has nothing to finish.
  const orphaned = (): never => process.exit(1);
  if (process.channel) process.once('disconnect', orphaned);
  await startSmall(async () => {
    const config = readConfig(process.env);
    return (await load())(config);
  });
  process.off('disconnect', orphaned);
}

/** A deployment that `npm prune --omit=dev` made smaller has no embedded servers and no demo data. */
async function forDevelopment<Module>(loading: Promise<Module>): Promise<Module> {
  try {
    return await loading;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw error;
    throw new StartError(
      'this command needs the packages for development, which were left out: run `npm ci`, without --omit=dev',
      { cause: error },
    );
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** What a person can mend is said in lines; anything else keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.faults.join('\n');
  if (error instanceof StartError || error instanceof MigrationError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return `${error.message}: set another port`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

await program.parseAsync().catch(async (error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  await outputTaken();
  process.exit(1);
});
