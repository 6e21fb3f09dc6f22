import type { Caller } from '../../../platform/auth/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import { type Accepted, actorOf, type CommandDeps, type Optional } from '../command.js';
import { execute } from '../execute.js';
import { commerceProjections } from '../inline-projections.js';
import { bodiesOf } from '../money.js';
import { accountIdRule, descriptionRule, userIdRule } from '../rules.js';
import { accountAggregate } from './aggregate.js';
import { accountStream } from './events.js';

export interface CreateAccountInput {
  /** Absent: made up. */
  readonly accountId?: Optional<string>;
  /** Absent: the caller. */
  readonly ownerId?: Optional<string>;
  /** ISO 4217. */
  readonly currency: string;
  readonly commandId?: Optional<string>;
}

export interface MoveMoneyInput {
  readonly accountId: string;
  /** A plain decimal. */
  readonly amount: string;
  /** Absent: the account's own. */
  readonly currency?: Optional<string>;
  readonly description?: Optional<string>;
  readonly expectedVersion?: Optional<number>;
  readonly commandId?: Optional<string>;
}

export interface CloseAccountInput {
  readonly accountId: string;
  readonly commandId?: Optional<string>;
}

const accounts = {
  aggregate: accountAggregate,
  streamOf: accountStream,
  field: 'accountId',
  idRule: accountIdRule,
};

/**
 * Creates an account with nothing in it.
 *
 * Refuses with ID_INVALID, FORBIDDEN, CURRENCY_UNKNOWN, ACCOUNT_EXISTS, and what `executeOn` refuses with.
 */
export async function createAccount(
  deps: CommandDeps,
  caller: Caller,
  input: CreateAccountInput,
): Promise<Result<Accepted>> {
  const accountId = input.accountId ?? deps.ids.next();
  const ownerId = input.ownerId ?? caller.viewer.userId;
  return execute(deps, caller, accounts, {
    id: accountId,
    commandId: input.commandId,
    checks: [[userIdRule, ownerId, 'ownerId']],
    body: { accountId: input.accountId ?? null, ownerId, currency: input.currency },
    command: ok({
      kind: 'createAccount',
      actor: actorOf(caller),
      accountId,
      ownerId,
      currency: input.currency,
    }),
  });
}

/**
 * Moves money into an account.
 *
 * Refuses with ID_INVALID, DESCRIPTION_INVALID, ACCOUNT_NOT_FOUND (also of another user's), ACCOUNT_CLOSED, CURRENCY_UNKNOWN,
 * CURRENCY_MISMATCH, AMOUNT_INVALID, AMOUNT_NOT_POSITIVE, AMOUNT_TOO_PRECISE, AMOUNT_TOO_LARGE, INSUFFICIENT_FUNDS,
 * and what `executeOn` refuses with.
 */
export const deposit = (
  deps: CommandDeps,
  caller: Caller,
  input: MoveMoneyInput,
): Promise<Result<Accepted>> => moveMoney(deps, caller, 'deposit', input);

/** Moves money out of an account. Refuses as `deposit` does. */
export const withdraw = (
  deps: CommandDeps,
  caller: Caller,
  input: MoveMoneyInput,
): Promise<Result<Accepted>> => moveMoney(deps, caller, 'withdraw', input);

async function moveMoney(
  deps: CommandDeps,
  caller: Caller,
  kind: 'deposit' | 'withdraw',
  input: MoveMoneyInput,
): Promise<Result<Accepted>> {
  const { accountId, amount } = input;
  const currency = input.currency ?? null;
  const description = input.description ?? null;
  const expectedVersion = input.expectedVersion ?? null;
  return execute(deps, caller, accounts, {
    id: accountId,
    commandId: input.commandId,
    checks: [[descriptionRule, description, 'description']],
    ...bodiesOf((spelled) => ({
      accountId,
      amount: spelled(amount),
      currency,
      description,
      expectedVersion,
    })),
    command: ok({ kind, actor: actorOf(caller), amount, currency, description }),
    ...(expectedVersion !== null && { expectedVersion }),
  });
}

/**
 * Closes an empty account for good. Not while transfers from it are pending, since their money may come back; a transfer
 * to it goes back to where it came from.
 *
 * Refuses with ID_INVALID, ACCOUNT_NOT_FOUND, ACCOUNT_CLOSED, ACCOUNT_NOT_EMPTY, TRANSFERS_PENDING, and what
 * `executeOn` refuses with.
 */
export async function closeAccount(
  deps: CommandDeps,
  caller: Caller,
  { accountId, commandId }: CloseAccountInput,
): Promise<Result<Accepted>> {
  return execute(deps, caller, accounts, {
    id: accountId,
    commandId,
    checks: [],
    body: { accountId },
    command: ok({ kind: 'closeAccount', actor: actorOf(caller) }),
    beside: () => ({ inlineProjection: commerceProjections.call('close_account', { accountId }) }),
    explain: ({ code }) =>
      refused(code, 'Transfers from this account are not over yet', ['input', 'accountId']),
  });
}
