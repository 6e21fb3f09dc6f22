import { ok, type Result, refused } from '../../../platform/errors.js';
import { decide as decideOnAccount } from '../account/decide.js';
import type { AccountEvent } from '../account/events.js';
import type { AccountState } from '../account/state.js';
import type { TransferEvent, TransferFacts } from './events.js';
import type { StartedTransfer } from './state.js';

/** What the process does next with a transfer, on which account. */
export type Step =
  | { readonly kind: 'debit' | 'credit'; readonly accountId: string }
  | { readonly kind: 'compensate'; readonly accountId: string; readonly reason: string };

/** What a step appends, all or nothing. */
export interface StepEvents {
  /** None where the source could not give the money. */
  readonly account: readonly AccountEvent[];
  readonly transfer: TransferEvent;
}

/** Debit, then credit; where the target cannot take the money, it goes back. Null: the transfer is over. */
export function nextStep(state: StartedTransfer, target: AccountState): Step | null {
  if (state.status === 'STARTED') return { kind: 'debit', accountId: state.facts.fromAccountId };
  if (state.status !== 'DEBITED') return null;
  const credit = deposit(state.facts, target);
  return credit.ok
    ? { kind: 'credit', accountId: state.facts.toAccountId }
    : { kind: 'compensate', accountId: state.facts.fromAccountId, reason: codeOf(credit) };
}

/**
 * What a step comes to on its account as it is now.
 *
 * Refuses with STEP_NOT_DUE: somebody else took it, or the account came to refuse what the step would do.
 */
export function decideStep(step: Step, state: StartedTransfer, account: AccountState): Result<StepEvents> {
  if (state.status !== (step.kind === 'debit' ? 'STARTED' : 'DEBITED')) return notDue;
  const { facts } = state;
  switch (step.kind) {
    case 'debit': {
      const debit = withdraw(facts, account);
      return ok(
        debit.ok
          ? { account: debit.value, transfer: { type: 'TransferDebited', data: facts } }
          : { account: [], transfer: { type: 'TransferRefused', data: { ...facts, reason: codeOf(debit) } } },
      );
    }
    case 'credit': {
      const credit = deposit(facts, account);
      if (!credit.ok) return notDue;
      return ok({ account: credit.value, transfer: { type: 'TransferCompleted', data: facts } });
    }
    case 'compensate': {
      const returned = giveBack(facts, account);
      if (!returned.ok) return returned;
      const data = { ...facts, reason: step.reason };
      return ok({ account: returned.value, transfer: { type: 'TransferCompensated', data } });
    }
    default:
      return step satisfies never;
  }
}

const withdraw = ({ description, toAccountId, ...facts }: TransferFacts, source: AccountState) =>
  decideOnAccount(
    {
      kind: 'withdraw',
      actor: null,
      description: description ?? `Transfer to ${toAccountId}`,
      ...moved(facts),
    },
    source,
  );

const deposit = ({ description, fromAccountId, ...facts }: TransferFacts, target: AccountState) =>
  decideOnAccount(
    {
      kind: 'deposit',
      actor: null,
      description: description ?? `Transfer from ${fromAccountId}`,
      ...moved(facts),
    },
    target,
  );

const giveBack = ({ toAccountId, ...facts }: TransferFacts, source: AccountState) =>
  decideOnAccount(
    { kind: 'returnMoney', description: `Transfer to ${toAccountId} returned`, ...moved(facts) },
    source,
  );

const moved = ({
  amount,
  currency,
  transferId,
}: Pick<TransferFacts, 'amount' | 'currency' | 'transferId'>) => ({
  amount,
  currency,
  transferId,
});

const codeOf = ({ errors }: Extract<Result<unknown>, { ok: false }>): string => errors[0]!.code;

const notDue: Result<never> = refused('STEP_NOT_DUE', 'The transfer is past this step, or cannot take it');
