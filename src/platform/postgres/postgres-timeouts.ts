import pg from 'pg';
import { defined } from '../defined.js';
import { SERVER, type SessionIdentity } from './silent-sessions.js';

/**
 * How long a session may take over one thing, in milliseconds; 0: as long as it needs, whatever the role's own settings
 * are. What is left out is not set: the server's and the role's settings hold.
 */
export interface SessionTimeouts {
  /** One statement (`statement_timeout`). */
  readonly statementMs?: number;
  /** Waiting for one lock (`lock_timeout`). */
  readonly lockMs?: number;
  /** Between two statements of a transaction (`idle_in_transaction_session_timeout`): what a frozen process has locked is free then. */
  readonly idleInTransactionMs?: number;
}

/** Of each process, and of the sessions of a worker that rebuild read models; `DATABASE_…_TIMEOUT_MS` says otherwise. */
export const ROLE_TIMEOUTS = {
  api: { statementMs: 30_000, lockMs: 10_000, idleInTransactionMs: 15_000 },
  worker: { statementMs: 60_000, lockMs: 30_000, idleInTransactionMs: 15_000 },
  rebuild: { statementMs: 600_000, lockMs: 30_000, idleInTransactionMs: 15_000 },
} as const satisfies Record<string, Required<SessionTimeouts>>;

/** What the environment says; 0: the role's own settings in the database hold. */
export interface ConfiguredTimeouts extends SessionTimeouts {
  readonly rebuildStatementMs?: number;
}

/** The timeouts of a role: what the environment says of them, else its own. */
export function timeoutsOf(
  role: keyof typeof ROLE_TIMEOUTS,
  configured: ConfiguredTimeouts,
): SessionTimeouts {
  const { rebuildStatementMs, statementMs, ...others } = configured;
  const asked = { ...others, statementMs: role === 'rebuild' ? rebuildStatementMs : statementMs };
  const all = { ...ROLE_TIMEOUTS[role], ...defined(asked) };
  return Object.fromEntries(Object.entries(all).filter(([, ms]) => ms !== 0));
}

/** For work that takes as long as it takes: migrations, imports. */
export const WITHOUT_TIMEOUTS: SessionTimeouts = { statementMs: 0, lockMs: 0, idleInTransactionMs: 0 };

/** How a statement ends on a server whose timeouts are not ours to know. */
const GIVE_UP_MS = 60_000;
/** The server ends a statement first, and says so: the client's own end costs the connection. */
const SERVER_FIRST_MS = 5_000;
/** For the settings themselves. */
const SETTING_MS = 5_000;

const NAMES = {
  statementMs: 'statement_timeout',
  lockMs: 'lock_timeout',
  idleInTransactionMs: 'idle_in_transaction_session_timeout',
} as const satisfies Record<keyof SessionTimeouts, string>;

/** What node-postgres has and its types leave out. */
interface Connected {
  /** As the server, or the pooler, has said. */
  readonly processID: number;
}

/** So often a server looks, while a statement runs, whether its client is still there. */
const LOOK_FOR_CLIENT = { client_connection_check_interval: '1s' };

/** After this a client gives its connection up: the server has not ended the statement, so it is silent. 0: never. */
export const giveUpAfterMs = ({ statementMs }: SessionTimeouts): number =>
  statementMs === 0 ? 0 : statementMs === undefined ? GIVE_UP_MS : statementMs + SERVER_FIRST_MS;

/**
 * A statement that is prepared keeps its plan: one made while a table was small would read all of it once it is large, or full of
 * rows that vacuum may not remove. Where a table has no index that fits, its plan looks dear enough to be compiled, which takes
 * longer than the statement.
 */
const BY_INDEX = { enable_seqscan: 'off', jit: 'off' };

/** What a session is to be like. */
export interface SessionOptions {
  /** By default a worker's. */
  readonly timeouts?: SessionTimeouts;
  /** Every statement reads few rows, by their keys: no plan may read a whole table that has an index which fits. */
  readonly byIndex?: boolean;
}

/** The settings of such a session, by name. Empty where there is no timeout to set: those of the role hold, all of them. */
function settingsOf({ timeouts = ROLE_TIMEOUTS.worker, byIndex = false }: SessionOptions) {
  const set = Object.entries(NAMES).flatMap(([key, name]) => {
    const ms = timeouts[key as keyof SessionTimeouts];
    return ms === undefined ? [] : [[name, String(ms)]];
  });
  const settings: Record<string, string> = Object.fromEntries(set);
  return set.length > 0 && byIndex ? { ...settings, ...BY_INDEX } : settings;
}

/** A statement that makes these settings. They are ours, and need no quoting. */
const setting = (settings: Readonly<Record<string, string>>, isLocal: boolean): string =>
  `SELECT ${Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`)
    .join(', ')}`;

/**
 * Sets a session's timeouts, and how it reads tables. Also has the server end a statement within a second whose connection is
 * gone, wherever it was cut: by a timeout of the client's, a pool that closes, a process that was killed.
 *
 * Nothing is sent where there is no timeout to set.
 *
 * @returns the session as its server knows it; undefined where nothing is sent, or a pooler is in between
 */
export async function prepareSession(
  client: pg.ClientBase,
  options: SessionOptions,
): Promise<SessionIdentity | undefined> {
  const settings = settingsOf(options);
  if (Object.keys(settings).length === 0) return undefined;
  const { rows } = await client.query<SessionIdentity>({
    text: `${setting(settings, false)}, ${SERVER}, pg_backend_pid() AS pid`,
    ...{ query_timeout: SETTING_MS },
  });
  const lookForClient = setting(LOOK_FOR_CLIENT, false);
  await client.query({ text: lookForClient, ...{ query_timeout: SETTING_MS } }).catch((error: unknown) => {
    // A server on Windows cannot look.
    if (!(error instanceof pg.DatabaseError)) throw error;
  });
  const { server, pid } = rows[0]!;
  return pid === (client as unknown as Connected).processID ? { server, pid } : undefined;
}

/** The same for one transaction alone, as a statement of it; undefined where there is nothing to set. */
export function transactionSettings(options: SessionOptions): string | undefined {
  const settings = settingsOf(options);
  if (Object.keys(settings).length === 0) return undefined;
  return setting({ ...settings, ...LOOK_FOR_CLIENT }, true);
}
