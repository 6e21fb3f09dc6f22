/** Deposits go round these. */
export const accountIds: readonly string[] = Array.from({ length: 200 }, (_, n) => `account${n}`);

/** Every deposit, in USD. */
export const amount = '1.25';
export const amountMinor = 125;

/** Where money is paid in and balances are read. */
export interface Bank {
  /** Pays `amount` in; answers the account's version after it. */
  deposit(accountId: string): Promise<number>;
  /** Reads the account once it has reached the version, in whatever way the bank has. */
  readAt(accountId: string, version: number): Promise<Balance>;
  /** Reads the account as it is. */
  read(accountId: string): Promise<Balance>;
  close(): Promise<void>;
}

export interface Balance {
  readonly version: number;
  readonly minorUnits: number;
}

/** Where a bank's servers are, and its own database, which is empty. */
export interface Place {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/** A kind of bank. */
export interface BankKind {
  /** Makes tables and accounts, as a process of its own that ends before the bank is opened. */
  found(place: Place): Promise<void>;
  open(place: Place): Promise<Bank>;
}
