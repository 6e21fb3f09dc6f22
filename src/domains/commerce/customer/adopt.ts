import { type Caller, metadataOf, scopedCommandId } from '../../../platform/auth/caller.js';
import { ok, type Result } from '../../../platform/errors.js';
import { load } from '../../../platform/event-log/aggregate.js';
import { appendDecided } from '../../../platform/event-log/execute.js';
import type { CommandDeps } from '../command.js';
import { customerAggregate } from './aggregate.js';
import { keepCredit } from './credit.js';
import { customerNotFound } from './decide.js';
import { customerStream } from './events.js';

/**
 * Opens credit for a customer whom the log knows and orders do not: one who was registered before there was credit.
 * The customer's stream gets no event: it says already that they owe nothing.
 *
 * Refuses with CUSTOMER_NOT_FOUND, and what `appendDecided` refuses with.
 *
 * @param commandId of the command that needs the customer
 */
export function adoptCustomer(
  deps: Pick<CommandDeps, 'log'>,
  caller: Caller,
  customerId: string,
  commandId: string,
): Promise<Result<unknown>> {
  const streamId = customerStream(customerId);
  const adoptionId = scopedCommandId(caller, 'adoptCustomer', commandId);
  return appendDecided(deps, {
    commandId: adoptionId,
    body: { customerId },
    metadata: metadataOf(caller, adoptionId),
    value: { customerId },
    async decide() {
      const { state, version } = await load(deps.log, customerAggregate, streamId);
      if (state.status === 'UNKNOWN') return customerNotFound;
      return ok({
        appends: [{ streamId, expected: version, events: [] }],
        inlineProjection: keepCredit(customerId, state),
      });
    },
  });
}
