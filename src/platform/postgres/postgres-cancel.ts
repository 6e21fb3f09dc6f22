import pg from 'pg';
import { withinMs } from '../deadline.js';
import { PublicError } from '../errors.js';

/** A cancel is two packets on a connection of its own. */
const CANCEL_MS = 2_000;
const CANCELLED = '57014';

/** What node-postgres has and its types leave out. */
interface Cancellable {
  readonly host: string;
  readonly port: number;
  readonly ssl: pg.ClientConfig['ssl'];
  readonly processID: number;
  readonly secretKey: number;
}
interface CancelConnection extends pg.Connection {
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
}

/**
 * Asks the server, by the protocol's CancelRequest, to end the statement that a connection runs. A pooler in between
 * hands the request on to whichever server runs it.
 *
 * @returns once the server has dealt with it: a statement that is sent after that cannot be hit by it
 * @throws where that is not known
 */
function cancelOn(client: pg.ClientBase): Promise<void> {
  const { host, port, ssl, processID, secretKey } = client as unknown as Cancellable;
  const connection = new pg.Connection({ ssl } as pg.ConnectionConfig) as CancelConnection;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isSent = false;
  const send = (): void => {
    isSent = true;
    connection.cancel(processID, secretKey);
  };
  connection.on('connect', () => (ssl ? connection.requestSsl() : send()));
  connection.on('sslconnect', send);
  connection.on('error', reject);
  // The server says nothing: it closes the connection once it has signalled the session.
  connection.on('end', () => (isSent ? resolve() : reject(new Error('the cancel request was not taken'))));
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
  return withinMs(CANCEL_MS, promise).finally(() => connection.stream.destroy());
}

const clientGone = (): PublicError => new PublicError('SERVICE_UNAVAILABLE', 'The client has gone');

/**
 * Runs one statement that nobody needs once `signal` aborts: then it is cancelled on the server, and nothing is sent where
 * it had not begun. Its connection goes back to the pool once the cancel is through, so that it hits no later statement.
 *
 * @throws PublicError where the signal aborted first
 */
export async function queryUntilGone<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  signal: AbortSignal,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  if (signal.aborted) throw clientGone();
  const client = await pool.connect();
  if (signal.aborted) {
    client.release();
    throw clientGone();
  }
  let cancel: Promise<void> | undefined;
  const leave = (): void => {
    cancel = cancelOn(client);
    cancel.catch(() => undefined);
  };
  signal.addEventListener('abort', leave);
  let failure: unknown;
  try {
    return await client.query(statement);
  } catch (error) {
    failure = error;
    throw cancel && isCancelled(error) ? clientGone() : error;
  } finally {
    signal.removeEventListener('abort', leave);
    const isSettled = await (cancel ?? Promise.resolve()).then(
      () => true,
      () => false,
    );
    client.release(isSettled && (failure === undefined || isCancelled(failure)) ? undefined : true);
  }
}

/** Whether the server has ended a statement: because it was asked to, or since it took longer than the session's `statement_timeout`. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === CANCELLED;
