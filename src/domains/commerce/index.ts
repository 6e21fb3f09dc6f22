import type { Caller } from '../../platform/caller.js';
import type { Result } from '../../platform/errors.js';
import type { EventLog } from '../../platform/event-log/index.js';
import { createTurns } from '../../platform/event-log/turns.js';
import type { Ids } from '../../platform/ids.js';
import { type Connection, type PagingArguments, readPaging } from '../../platform/paging.js';
import type { Queryable } from '../../platform/postgres.js';
import type { Accepted } from './accepted.js';
import {
  type CloseAccountInput,
  type CreateAccountInput,
  closeAccount,
  createAccount,
  type MoveMoneyInput,
  moveMoney,
} from './account/commands.js';
import { type AccountSummary, readAccount, readOwnAccounts, readVersions } from './account/read.js';
import type { Wait } from './read-your-writes.js';
import { createVersionWaits } from './version-waits.js';

export type { Accepted } from './accepted.js';
export type { CloseAccountInput, CreateAccountInput, MoveMoneyInput } from './account/commands.js';
export type { AccountSummary } from './account/read.js';
export type { Wait } from './read-your-writes.js';
export { upcasters } from './upcasters.js';

/** Event-sourced accounts: commands decide and append; queries read what the projectors made of it. */
export interface Commerce {
  /** @see createAccount for refusals */
  createAccount(caller: Caller, input: CreateAccountInput): Promise<Result<Accepted>>;
  /** @see moveMoney for refusals */
  deposit(caller: Caller, input: MoveMoneyInput): Promise<Result<Accepted>>;
  /** @see moveMoney for refusals */
  withdraw(caller: Caller, input: MoveMoneyInput): Promise<Result<Accepted>>;
  /** @see closeAccount for refusals */
  closeAccount(caller: Caller, input: CloseAccountInput): Promise<Result<Accepted>>;
  /** @see readAccount for what it throws */
  account(caller: Caller, accountId: string, wait?: Wait): Promise<AccountSummary | null>;
  /** The caller's own. @throws PublicError BAD_USER_INPUT or BAD_CURSOR */
  accounts(caller: Caller, paging: PagingArguments): Promise<Connection<AccountSummary>>;
}

export function createCommerce(deps: { postgres: Queryable; log: EventLog; ids: Ids }): Commerce {
  const { postgres, log, ids } = deps;
  const writing = { log, ids, inTurn: createTurns() };
  const waits = createVersionWaits((accountIds) => readVersions(postgres, accountIds));
  return {
    createAccount: (caller, input) => createAccount(writing, caller, input),
    deposit: (caller, input) => moveMoney(writing, caller, 'deposit', input),
    withdraw: (caller, input) => moveMoney(writing, caller, 'withdraw', input),
    closeAccount: (caller, input) => closeAccount(writing, caller, input),
    account: (caller, accountId, wait) => readAccount({ postgres, waits }, caller, accountId, wait),
    async accounts(caller, paging) {
      return readOwnAccounts(postgres, caller, readPaging(paging));
    },
  };
}
