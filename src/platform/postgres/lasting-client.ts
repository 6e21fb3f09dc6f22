import pg from 'pg';

/** What node-postgres has and its types leave out. */
interface WithConnection {
  readonly connection: pg.Connection;
}
interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** How to connect, and to what. */
export interface LastingConfig extends pg.ClientConfig {
  /** Connects to a standby, too. */
  readonly mayBeStandby?: boolean;
}

/**
 * A client that outlives its connection. A broken connection rejects the statement that is under way; between two
 * statements there is only the client's `error` event, which without a listener would end the process. pg-pool listens
 * only while a client is idle in the pool.
 *
 * It connects to no standby unless that is asked for: what is read there may be older than what was acknowledged, for as long as
 * the connection lasts. A server says which it is while a client connects (from Postgres 14 on), so nothing is asked.
 *
 * A commit that did not reach the synchronous standby is not acknowledged: where somebody cancels the wait for it, Postgres
 * reports a success and a warning, and the standby may take over without it. Here its statement rejects, as one whose answer
 * was lost.
 */
export class LastingClient extends pg.Client {
  constructor(config: LastingConfig = {}) {
    super(config);
    this.on('error', () => undefined);
    this.on('notice', (notice) => {
      // By the place in the source where it is raised: its words are translated.
      if (notice.routine === 'SyncRepWaitForLSN')
        breakOff(this, '08007', 'the commit was not confirmed by the synchronous standby');
    });
    if (config.mayBeStandby) return;
    connectionOf(this).on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'in_hot_standby' && parameterValue === 'on')
        breakOff(this, '25006', 'the address leads to a standby, which cannot be written to');
    });
  }
}

/** Its protocol and socket. */
export const connectionOf = (client: pg.ClientBase): pg.Connection =>
  (client as unknown as WithConnection).connection;

/** Rejects what is under way, be it the connecting itself, with an error of this SQLSTATE, and drops the connection. */
export function breakOff(client: pg.ClientBase, sqlState: string, message: string): void {
  const error = new pg.DatabaseError(message, message.length, 'error');
  error.code = sqlState;
  const connection = connectionOf(client);
  connection.emit('error', error);
  connection.stream.destroy();
}
