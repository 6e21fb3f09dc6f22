import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../src/local/free-port.js';
import { systemUser } from '../../src/local/postgres-home.js';
import { endChild, endWithParent, lastLines } from '../../src/local/processes.js';
import { type Part, type PatroniMachine, patroniMachine } from './patroni-machine.js';
import { findPatroniPrograms } from './patroni-programs.js';
import { etcdArguments, haproxySettings } from './patroni-settings.js';

/** A Postgres of two machines under Patroni, with an etcd, behind a HAProxy. Close it in `afterAll`. */
export interface PatroniCluster {
  /** Of the maintenance database `postgres` at the address of the primary, as its superuser. */
  readonly url: string;
  /** The name of the member that Patroni calls primary, or undefined where there is none. */
  primary(): Promise<string | undefined>;
  /** SIGKILL. */
  kill(member: string, part: Part): Promise<void>;
  /** Starts what `kill` has ended of it, unless Patroni does. */
  start(member: string): Promise<void>;
  freeze(member: string): Promise<void>;
  thaw(member: string): void;
  /** Asks Patroni to make the other one primary. */
  switchOver(): Promise<void>;
  /** Resolves once there is a primary and the other one follows it synchronously. */
  untilInSync(): Promise<void>;
  /** What Patroni has written about a member. */
  logOf(member: string): Promise<string>;
  close(): Promise<void>;
}

interface Shown {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

const IN_SYNC_MS = 120_000;
const POLL_MS = 100;
const ANSWER_MS = 2_000;
const STOP_MS = 20_000;

/** Starts everything on free ports, in a folder of its own, and waits until the standby is synchronous. */
export async function startPatroni(): Promise<PatroniCluster> {
  const programs = findPatroniPrograms();
  if ('missing' in programs) throw new Error(`not installed: ${programs.missing.join(', ')}`);
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-patroni-'));
  // As root, the servers run as another user, who must get through to their folders.
  await chmod(folder, 0o711);
  const runAs = process.getuid?.() === 0 ? systemUser() : undefined;
  const children: ChildProcess[] = [];

  async function folderOf(name: string): Promise<string> {
    const place = path.join(folder, name);
    await mkdir(place, { mode: 0o700 });
    if (runAs) await chown(place, runAs.uid, runAs.gid);
    return place;
  }

  async function launch(name: string, program: string, args: readonly string[]): Promise<ChildProcess> {
    const log = await open(path.join(folder, `${name}.log`), 'a', 0o600);
    const child = spawn(program, args, {
      ...runAs,
      cwd: '/',
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await log.close();
    child.on('error', () => undefined);
    endWithParent(child, 'TERM');
    children.push(child);
    return child;
  }

  const passwords = { superuser: secret(), replication: secret() };
  const [etcd, peers, port] = [await freePort(), await freePort(), await freePort()];
  const url = `postgresql://postgres:${passwords.superuser}@127.0.0.1:${port}/postgres`;
  const machines: PatroniMachine[] = [];
  const machine = (name: string): PatroniMachine => machines.find((one) => one.settings.name === name)!;

  async function cluster(): Promise<readonly Shown[]> {
    for (const { settings } of machines) {
      const answer = await ask(settings.restPort, '/cluster');
      if (answer?.ok) return ((await answer.json()) as { members: Shown[] }).members;
    }
    return [];
  }
  const primary = async (): Promise<string | undefined> =>
    (await cluster()).find(({ role, state }) => role === 'leader' && state === 'running')?.name;

  async function untilInSync(): Promise<void> {
    const deadline = Date.now() + IN_SYNC_MS;
    for (;;) {
      const all = await cluster();
      const running = all.filter(({ state }) => /^(running|streaming)$/.test(state)).map(({ role }) => role);
      if (running.toSorted().join() === 'leader,sync_standby' && (await leadsToPrimary(url))) return;
      if (Date.now() > deadline) {
        const logs = await Promise.all(
          ['a', 'b', 'haproxy'].map((name) => lastLines(path.join(folder, `${name}.log`))),
        );
        throw new Error(`no synchronous standby: ${JSON.stringify(all)}\n${logs.join('\n')}`);
      }
      await pause(POLL_MS);
    }
  }

  async function close(): Promise<void> {
    await Promise.all(machines.map((one) => one.close()));
    await Promise.all(children.map((child) => endChild(child, 'SIGTERM', 'SIGKILL', STOP_MS)));
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await launch(
      'etcd',
      programs.etcd,
      etcdArguments(path.join(await folderOf('etcd'), 'data'), etcd, peers),
    );
    for (const name of ['a', 'b']) {
      const settings = {
        name,
        postgresPort: await freePort(),
        restPort: await freePort(),
        folder: await folderOf(name),
        etcdPort: etcd,
        postgresBin: programs.postgresBin,
        passwords,
      };
      machines.push(patroniMachine(settings, (file) => launch(name, programs.patroni, [file])));
      await machine(name).start();
    }
    const proxy = path.join(folder, 'haproxy.cfg');
    await writeFile(
      proxy,
      haproxySettings(
        port,
        machines.map(({ settings }) => settings),
      ),
    );
    await launch('haproxy', programs.haproxy, ['-db', '-f', proxy]);
    await untilInSync();
  } catch (error) {
    await close();
    throw error;
  }

  return {
    url,
    primary,
    kill: (name, part) => machine(name).kill(part),
    start: (name) => machine(name).start(),
    freeze: (name) => machine(name).freeze(),
    thaw: (name) => machine(name).thaw(),
    async switchOver() {
      const from = await primary();
      const to = machines.find(({ settings }) => settings.name !== from)!.settings.name;
      const answer = await ask(machine(to).settings.restPort, '/switchover', { leader: from, candidate: to });
      if (answer?.status !== 200) throw new Error(`no switchover: ${await answer?.text()}`);
    },
    untilInSync,
    logOf: (name) => readFile(path.join(folder, `${name}.log`), 'utf8'),
    close,
  };
}

const secret = (): string => randomBytes(12).toString('hex');

/** Asks a Patroni; with a body by POST. Undefined where it does not answer. */
const ask = (port: number, where: string, body?: object): Promise<Response | undefined> =>
  fetch(`http://127.0.0.1:${port}${where}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    // A switchover is answered once it has happened.
    signal: AbortSignal.timeout(body ? 60_000 : ANSWER_MS),
  }).catch(() => undefined);

async function leadsToPrimary(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ANSWER_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query('SELECT NOT pg_is_in_recovery() AS yes');
    return rows[0].yes;
  } catch {
    return false;
  } finally {
    void client.end().catch(() => undefined);
  }
}
