import type { Caller } from '../../../platform/caller.js';
import type { Result } from '../../../platform/errors.js';
import type { Accepted, CommandDeps } from '../command.js';
import type { RecordPaymentInput, RegisterCustomerInput, SetCustomerStatusInput } from './customer.js';

export async function registerCustomer(
  _deps: CommandDeps,
  _caller: Caller,
  _input: RegisterCustomerInput,
): Promise<Result<Accepted>> {
  throw new Error('not written yet');
}
export async function setCustomerStatus(
  _deps: CommandDeps,
  _caller: Caller,
  _input: SetCustomerStatusInput,
): Promise<Result<Accepted>> {
  throw new Error('not written yet');
}
export async function recordPayment(
  _deps: CommandDeps,
  _caller: Caller,
  _input: RecordPaymentInput,
): Promise<Result<Accepted>> {
  throw new Error('not written yet');
}
