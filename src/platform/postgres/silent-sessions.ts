import type pg from 'pg';
import { breakOff, connectionOf, LastingClient, type LastingConfig } from './lasting-client.js';

/** A connection that has waited so long for an answer is asked about. */
const SILENT_MS = 5_000;
const TICK_MS = 1_000;
const ASK_MS = 2_000;

/** What node-postgres has and its types leave out. */
interface Waiting {
  readonly readyForQuery: boolean;
}

/** A session as its server knows it. */
export interface SessionIdentity {
  /** When the server was started: another one has another time. */
  readonly server: string;
  readonly pid: number;
}

interface Watched extends SessionIdentity {
  bytesRead: number;
  silentSince: number;
}

/** Follows connections of one address; see `watchForSilence`. */
export interface SilenceWatch {
  /** From now on until it ends. */
  add(client: pg.ClientBase, identity: SessionIdentity): void;
}

/**
 * Drops connections that lead nowhere. Where a server's machine is gone, or its network, its clients do not notice: each statement
 * would wait until its own timeout, and so would the next that gets a connection of the pool. So once one has waited 5 s for an answer, the
 * server that the address leads to by now is asked on a new connection. Where that is another server, every connection to the former
 * one is dropped; where it is the same, those are whose session it does not have, or has idle. A statement that takes long goes
 * on, and so does everything while no server answers.
 */
export function watchForSilence(config: LastingConfig): SilenceWatch {
  const watched = new Map<pg.ClientBase, Watched>();
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;

  /** Where it hears from the server, or waits for nothing, it begins to count anew. */
  function isSilent(client: pg.ClientBase, one: Watched): boolean {
    const { bytesRead } = connectionOf(client).stream as unknown as { bytesRead: number };
    if ((client as unknown as Waiting).readyForQuery || bytesRead !== one.bytesRead)
      Object.assign(one, { bytesRead, silentSince: performance.now() });
    return performance.now() - one.silentSince >= SILENT_MS;
  }

  async function look(): Promise<void> {
    const silent = [...watched].filter(([client, one]) => isSilent(client, one));
    if (silent.length === 0 || isAsking) return;
    isAsking = true;
    try {
      const pids = silent.map(([, { pid }]) => pid);
      const answer = await askServer(config, pids);
      dropDead(new Set(silent.map(([client]) => client)), answer);
    } catch {
      // Nobody answers: there is nothing to connect to anew.
    } finally {
      isAsking = false;
    }
  }

  function dropDead(asked: ReadonlySet<pg.ClientBase>, { server, working }: Answer): void {
    for (const [client, one] of watched) {
      if (one.server !== server) breakOff(client, '08006', 'the address leads to another server by now');
      // The answer may have come meanwhile: to a process that was frozen, all at once.
      else if (!asked.has(client) || !isSilent(client, one)) continue;
      else if (working.has(one.pid)) one.silentSince = performance.now();
      else breakOff(client, '08006', 'the server answers on new connections, and not on this one');
    }
  }

  return {
    add(client, identity) {
      watched.set(client, { ...identity, bytesRead: -1, silentSince: performance.now() });
      timer ??= setInterval(() => void look(), TICK_MS).unref();
      client.once('end', () => {
        watched.delete(client);
        if (watched.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      });
    },
  };
}

/** Who answers at the address, and which of the sessions that were asked about are at work there. */
interface Answer {
  readonly server: string;
  readonly working: ReadonlySet<number>;
}

/** Selects what names a server. */
export const SERVER = 'extract(epoch FROM pg_postmaster_start_time())::text AS server';

/** An answer that the server has sent a moment ago may be on its way. */
const ASK = `
  SELECT ${SERVER}, ARRAY(
    SELECT pid FROM pg_stat_activity
    WHERE pid = ANY ($1) AND NOT (state LIKE 'idle%' AND state_change < clock_timestamp() - interval '2 s')) AS working`;

async function askServer(config: LastingConfig, pids: readonly number[]): Promise<Answer> {
  const client = new LastingClient({ ...config, connectionTimeoutMillis: ASK_MS, query_timeout: ASK_MS });
  try {
    await client.connect();
    const { rows } = await client.query<{ server: string; working: number[] }>(ASK, [pids]);
    return { server: rows[0]!.server, working: new Set(rows[0]!.working) };
  } finally {
    void client.end().catch(() => undefined);
  }
}
