import { ok, type Result, refused } from '../../../platform/errors.js';
import { decide as decideOnAccount, openAccount, readAmount } from '../account/decide.js';
import type { AccountState } from '../account/state.js';
import type { Actor } from '../command.js';
import { formatAmount } from '../money.js';
import type { TransferEvent } from './events.js';

export interface StartTransfer {
  readonly actor: Actor;
  readonly transferId: string;
  readonly fromAccountId: string;
  readonly toAccountId: string;
  /** A plain decimal in the accounts' currency. */
  readonly amount: string;
  readonly description: string | null;
}

/**
 * Begins a transfer, or refuses what both accounts, as they are now, would refuse anyway. Each decides again when its
 * turn comes.
 *
 * Whether the target can take the amount is left to that: otherwise a stranger could find out what is in an account, without a
 * trace, by asking how much more it can take.
 */
export function startTransfer(
  command: StartTransfer,
  source: AccountState,
  target: AccountState,
): Result<TransferEvent> {
  const { actor, amount, transferId, fromAccountId, toAccountId, description } = command;
  if (fromAccountId === toAccountId) {
    return refused('TRANSFER_TO_SELF', 'Source and target are the same account', ['input', 'toAccountId']);
  }
  const from = openAccount(actor, source);
  if (!from.ok) return about('fromAccountId', from);
  const to = openAccount(null, target);
  if (!to.ok) return about('toAccountId', to);

  const { ownerId, currency } = from.value;
  const minor = readAmount({ amount, currency }, to.value);
  if (!minor.ok) return about('toAccountId', minor);
  const debit = decideOnAccount({ kind: 'withdraw', actor, amount, currency, description }, source);
  if (!debit.ok) return about('fromAccountId', debit);

  return ok({
    type: 'TransferStarted',
    data: {
      transferId,
      fromAccountId,
      toAccountId,
      ownerId,
      amount: formatAmount(minor.value, currency),
      currency,
      description,
      version: 1,
    },
  });
}

/** An account's refusal in terms of the transfer's input, which names two accounts and no currency. */
const about = (
  field: 'fromAccountId' | 'toAccountId',
  { errors }: Extract<Result<unknown>, { ok: false }>,
): Result<never> => ({
  ok: false,
  errors: errors.map((error) =>
    error.path?.at(-1) === 'amount' ? error : { ...error, path: ['input', field] },
  ),
});
