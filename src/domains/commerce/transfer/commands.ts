import { type Caller, metadataOf, scopedCommandId } from '../../../platform/auth/caller.js';
import { ok, type Result, refused, refusedAll } from '../../../platform/errors.js';
import { load } from '../../../platform/event-log/aggregate.js';
import { appendDecided } from '../../../platform/event-log/execute.js';
import { tracer } from '../../../platform/tracing/tracing.js';
import { accountAggregate } from '../account/aggregate.js';
import { accountStream } from '../account/events.js';
import { type Accepted, actorOf, type CommandDeps } from '../command.js';
import { commerceProjections } from '../inline-projections.js';
import { bodiesOf } from '../money.js';
import { accountIdRule, checkAll, commandIdRule, descriptionRule } from '../rules.js';
import { startTransfer } from './decide.js';
import { transferStream } from './events.js';
import type { TransferMoneyInput } from './transfer.js';

/**
 * Begins to move money from the caller's account to anybody's. What it answers is that the transfer was accepted; how
 * it ends is for `transfer` to say: later withdrawals may leave too little in the source, the target may close or be
 * too full.
 *
 * Refuses with ID_INVALID, DESCRIPTION_INVALID, TRANSFER_TO_SELF, ACCOUNT_NOT_FOUND, ACCOUNT_CLOSED,
 * CURRENCY_MISMATCH, AMOUNT_INVALID, AMOUNT_NOT_POSITIVE, AMOUNT_TOO_PRECISE, AMOUNT_TOO_LARGE, INSUFFICIENT_FUNDS,
 * TOO_MANY_TRANSFERS (200 from this source, or 400 of its owner, are not over yet), and what `appendDecided` refuses with.
 *
 * @returns the transfer's id, and the version of its stream
 */
export async function transferMoney(
  deps: CommandDeps,
  caller: Caller,
  input: TransferMoneyInput,
): Promise<Result<Accepted>> {
  const { fromAccountId, toAccountId, amount } = input;
  const description = input.description ?? null;
  const errors = checkAll([
    [accountIdRule, fromAccountId, 'fromAccountId'],
    [accountIdRule, toAccountId, 'toAccountId'],
    [descriptionRule, description, 'description'],
    [commandIdRule, input.commandId ?? null, 'commandId'],
  ]);
  if (errors.length > 0) return refusedAll(errors);

  const transferId = deps.ids.next();
  const commandId = scopedCommandId(caller, 'transferMoney', input.commandId ?? deps.ids.next());
  const started = await appendDecided(deps, {
    commandId,
    ...bodiesOf((spelled) => ({ fromAccountId, toAccountId, amount: spelled(amount), description })),
    metadata: metadataOf(caller, commandId),
    value: { transferId },
    async decide() {
      const [source, target] = await Promise.all(
        [fromAccountId, toAccountId].map((id) => load(deps.log, accountAggregate, accountStream(id))),
      );
      const command = { actor: actorOf(caller), transferId, fromAccountId, toAccountId, amount, description };
      const start = startTransfer(command, source!.state, target!.state);
      if (!start.ok) return start;
      return ok({
        appends: [{ streamId: transferStream(transferId), expected: 'none', events: [start.value] }],
        inlineProjection: commerceProjections.call('start_transfer', {
          transferId,
          fromAccountId,
          ownerId: start.value.data.ownerId,
          correlationId: caller.correlationId,
          traceparent: tracer()?.traceparent() ?? null,
        }),
      });
    },
    explain: ({ code, detail }) => {
      const whose = detail.of === 'owner' ? 'this user' : 'this account';
      const message = `Too many transfers of ${whose} are not over yet; try again later`;
      return refused(code, message, ['input', 'fromAccountId']);
    },
  });
  if (!started.ok) return started;
  const { versions, position, value } = started.value;
  // A repeat gets the id that was made for the first.
  const aggregateId = String(value.transferId);
  return ok({ aggregateId, version: versions[transferStream(aggregateId)]!, position });
}
