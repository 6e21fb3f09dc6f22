import type { Authenticator } from '../../platform/auth/auth.js';
import type { Gate } from '../../platform/gate.js';
import { isUnauthenticated, isWrong, refuseGuess } from '../gate/authentication.js';
import { givenCorrelationId } from '../gate/edge-request.js';
import { failedSignIn, Rejected } from '../gate/rate-limit-check.js';
import { closeSocket, TRY_AGAIN } from './channel.js';
import type { Connection } from './connection.js';
import { closeWhenRevoked, type Expiries } from './expiry.js';
import { givenTraceparent } from './traced-operation.js';

/**
 * Makes what authenticates a socket by its connection's parameters, else by its upgrade; false where it is refused.
 *
 * A wrong token closes the socket with 4403 (4401 would stop stock clients from ever trying again); with 1013 where
 * there were too many wrong ones, where it cannot be checked for now, or where its user has too many sockets.
 */
export function createSignIn(deps: {
  readonly authenticator: Authenticator;
  readonly gate: () => Gate;
  readonly expiries: Pick<Expiries, 'add'>;
}) {
  const { authenticator, gate, expiries } = deps;

  return async (
    connection: Connection,
    parameters: Readonly<Record<string, unknown>> | undefined,
  ): Promise<boolean> => {
    const given = parameters?.authorization ?? parameters?.Authorization ?? connection.credentials;
    if (given !== undefined && given !== null && typeof given !== 'string') return false;
    const credentials = given ?? undefined;
    const { socket, address, place } = connection;
    try {
      refuseGuess(credentials, address, deps);
      connection.viewer = await authenticator.authenticate(credentials);
    } catch (err) {
      connection.logger.info({ err }, 'socket refused');
      if (err instanceof Rejected || !isUnauthenticated(err) || (await guessedTooOften(err, credentials)))
        closeSocket(socket, TRY_AGAIN.code, TRY_AGAIN.reason);
      return false;
    }
    // What ends with the socket would never end.
    if (connection.isGone) return false;
    connection.correlationId = givenCorrelationId(parameters) ?? connection.correlationId;
    connection.traceparent = givenTraceparent(parameters) ?? connection.traceparent;
    const { viewer } = connection;
    if (viewer && !place.moveTo(viewer)) {
      connection.logger.info({ userId: viewer.userId }, 'socket refused: its user has too many');
      closeSocket(socket, TRY_AGAIN.code, TRY_AGAIN.reason);
      return false;
    }
    if (viewer?.expiresAt !== undefined) expiries.add(socket, viewer.expiresAt);
    if (viewer?.apiKeyId !== undefined)
      closeWhenRevoked(socket, () => authenticator.authenticate(credentials), connection.logger);
    return true;

    async function guessedTooOften(err: unknown, shown: string | undefined): Promise<boolean> {
      // What the upgrade showed was charged then.
      if (!isWrong(err, shown) || shown === connection.credentials) return false;
      return (await gate().decide(failedSignIn(address.network))).outcome === 'REJECT';
    }
  };
}
