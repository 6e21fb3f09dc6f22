import pg from 'pg';
import { LastingClient, type LastingConfig } from './lasting-client.js';
import {
  giveUpAfterMs,
  prepareSession,
  ROLE_TIMEOUTS,
  type SessionOptions,
  transactionSettings,
} from './postgres-timeouts.js';
import { watchForSilence } from './silent-sessions.js';
import { TransactionQuery } from './transaction-query.js';

/** For a connection to be made, or to become free where all of a pool are taken. */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * What every connection has in common: a peer that has gone silent is noticed and never waited for without end. Nothing of it
 * is a setting of the server that would be sent with the request to connect: PgBouncer refuses those.
 */
const connectionOptions = (
  url: string,
  { applicationName, timeouts = ROLE_TIMEOUTS.worker, mayBeStandby = false }: ConnectionOptions,
): LastingConfig => ({
  connectionString: url,
  application_name: applicationName,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  query_timeout: giveUpAfterMs(timeouts),
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  mayBeStandby,
});

/** What is said of one connection, or of all of a pool. */
export interface ConnectionOptions extends SessionOptions {
  /** Shows in the server's list of sessions. */
  readonly applicationName: string;
  /**
   * A pooler may give each transaction another session of the server: nothing is left in one. Settings are made anew in each
   * transaction, and no statement is prepared.
   */
  readonly byTransaction?: boolean;
  /** For reads that may be older than the last write. Otherwise a standby counts as a server that is away. */
  readonly mayBeStandby?: boolean;
}

/** What is said of a pool. */
export interface PoolOptions extends ConnectionOptions {
  /** So many connections at most. */
  readonly max: number;
  /** Gets the error of an idle connection that broke; it is replaced. */
  readonly onError: (error: Error) => void;
}

/** A client whose session has its settings once it is connected. */
class SessionClient extends LastingClient {
  constructor(
    private readonly config: LastingConfig,
    private readonly options: ConnectionOptions,
  ) {
    super(config);
  }

  override async connect(): Promise<pg.Client> {
    await super.connect();
    const identity = await prepareSession(this, this.options);
    if (identity) watchForSilence(this.config).add(this, identity);
    return this;
  }
}

/** A client whose statements leave nothing in the session that a pooler lends them. */
class TransactionClient extends LastingClient {
  readonly #settings: string | undefined;

  constructor(config: LastingConfig, options: SessionOptions) {
    // Poolers go on saying of a server what the first one said to them.
    super({ ...config, mayBeStandby: true });
    this.#settings = transactionSettings(options);
  }

  override query(...asked: ConstructorParameters<typeof TransactionQuery>[0]): never {
    const statement = new TransactionQuery(asked, this.#settings, () => this.getTransactionStatus() !== 'I');
    if (statement.callback) return super.query(statement) as never;
    return new Promise((resolve, reject) => {
      statement.callback = (error, result) => (error ? reject(error) : resolve(result));
      super.query(statement);
    }) as never;
  }
}

/** A pool makes its clients itself, with the configuration alone. */
const transactionClientOf = (options: SessionOptions): typeof LastingClient =>
  class extends TransactionClient {
    constructor(config: LastingConfig = {}) {
      super(config, options);
    }
  };

/**
 * A connection of its own, not yet made. Every client of the product is made here or by `createPool`.
 *
 * @param overrides in place of what every connection has in common
 */
export const createClient = (
  url: string,
  options: ConnectionOptions,
  overrides: pg.ClientConfig = {},
): pg.Client => {
  const Client = options.byTransaction ? TransactionClient : SessionClient;
  return new Client({ ...connectionOptions(url, options), ...overrides }, options);
};

/** A pool of clients that outlive their connections. Connections are made on first use. */
export function createPool(url: string, options: PoolOptions): pg.Pool {
  const config = connectionOptions(url, options);
  const watch = watchForSilence(config);
  const pool = new pg.Pool({
    ...config,
    max: options.max,
    ...(options.byTransaction
      ? { Client: transactionClientOf(options) }
      : {
          // Once for each connection, before anybody has it.
          async onConnect(client: pg.ClientBase) {
            const identity = await prepareSession(client, options);
            if (identity) watch.add(client, identity);
          },
          Client: LastingClient,
        }),
  });
  pool.on('error', (error) => options.onError(withoutClient(error)));
  return pool;
}

/** The pool hangs the connection onto its error: in a log, that is every statement that it ever prepared. */
const withoutClient = (error: Error): Error => Object.defineProperty(error, 'client', { enumerable: false });
