import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src/domains/commerce/command.js';
import { type CustomerCommand, decide } from '../../src/domains/commerce/customer/decide.js';
import type { CustomerEvent } from '../../src/domains/commerce/customer/events.js';
import { customerSnapshot, evolve, unknownCustomer } from '../../src/domains/commerce/customer/state.js';

const alice: Actor = { userId: 'alice', isAdmin: false };
const bob: Actor = { userId: 'bob', isAdmin: false };
const admin: Actor = { userId: 'root', isAdmin: true };
const person = {
  customerId: 'c1',
  userId: 'alice',
  firstName: 'Alice',
  lastName: '',
  email: 'a@example.com',
};

const registered = (creditLimit = '1000.00'): CustomerEvent => ({
  type: 'CustomerRegistered',
  data: { ...person, creditLimit, version: 2 },
});
const statusSet = (isActive: boolean, creditLimit: string): CustomerEvent => ({
  type: 'CustomerStatusSet',
  data: { customerId: 'c1', isActive, creditLimit, version: 1 },
});
const paid = (amount: string, reference: string | null = null): CustomerEvent => ({
  type: 'PaymentRecorded',
  data: { customerId: 'c1', amount, reference, version: 1 },
});

const register = (change: object = {}): CustomerCommand => ({
  kind: 'registerCustomer',
  actor: alice,
  ...person,
  creditLimit: 100_000n,
  ...change,
});
const setStatus = (change: object): CustomerCommand => ({
  kind: 'setCustomerStatus',
  actor: admin,
  customerId: 'c1',
  isActive: null,
  creditLimit: null,
  ...change,
});
const pay = (change: object = {}): CustomerCommand => ({
  kind: 'recordPayment',
  actor: admin,
  customerId: 'c1',
  amount: 1_250n,
  reference: null,
  ...change,
});

/** What a command on a customer with this history does: its events, or `CODE at.its.path`. */
function given(...history: CustomerEvent[]) {
  const state = history.reduce(evolve, unknownCustomer);
  return {
    when(command: CustomerCommand): readonly CustomerEvent[] | string {
      const decision = decide(command, state);
      if (decision.ok) return decision.value;
      return `${decision.errors[0]?.code} ${decision.errors[0]?.path?.join('.')}`;
    },
  };
}

describe('registerCustomer', () => {
  it('users register themselves as customers; admins register others too', () => {
    expect(given().when(register())).toEqual([registered()]);
    expect(given().when(register({ actor: admin }))).toEqual([registered()]);
    expect(given().when(register({ actor: bob }))).toBe('FORBIDDEN input.userId');
  });
  it('grants up to 10000.00 of credit for the asking; an admin grants more', () => {
    expect(given().when(register({ creditLimit: 1_000_000n }))).toEqual([registered('10000.00')]);
    expect(given().when(register({ creditLimit: 1_000_001n }))).toBe(
      'CREDIT_LIMIT_FORBIDDEN input.creditLimit',
    );
    expect(given().when(register({ creditLimit: 1_000_001n, actor: admin }))).toEqual([
      registered('10000.01'),
    ]);
  });
  it('grants no credit where none was wanted', () => {
    expect(given().when(register({ creditLimit: 0n }))).toEqual([registered('0.00')]);
  });
  it('refuses an id that is taken', () => {
    expect(given(registered()).when(register())).toBe('CUSTOMER_EXISTS input.customerId');
  });
});

describe('setCustomerStatus', () => {
  it('says what holds from now on, also what it did not change', () => {
    expect(given(registered()).when(setStatus({ isActive: false }))).toEqual([statusSet(false, '1000.00')]);
    expect(given(registered(), statusSet(false, '1.00')).when(setStatus({ creditLimit: 0n }))).toEqual([
      statusSet(false, '0.00'),
    ]);
  });
  it('says nothing where nothing differs', () => {
    expect(given(registered()).when(setStatus({ isActive: true, creditLimit: 100_000n }))).toEqual([]);
  });
  it('is the admin’s, for customers that there are', () => {
    expect(given(registered()).when(setStatus({ actor: alice, isActive: true }))).toBe(
      'FORBIDDEN input.customerId',
    );
    expect(given().when(setStatus({ isActive: true }))).toBe('CUSTOMER_NOT_FOUND input.customerId');
  });
});

describe('recordPayment', () => {
  it('records the amount with all digits', () => {
    expect(given(registered()).when(pay())).toEqual([paid('12.50')]);
    expect(given(registered(), paid('1.00')).when(pay({ reference: 'wire' }))).toEqual([
      paid('12.50', 'wire'),
    ]);
  });
  it('is the admin’s, for customers that there are', () => {
    expect(given(registered()).when(pay({ actor: alice }))).toBe('FORBIDDEN input.customerId');
    expect(given().when(pay())).toBe('CUSTOMER_NOT_FOUND input.customerId');
  });
});

describe('a customer’s snapshot', () => {
  it('gives back the state that it was made of', () => {
    for (const history of [[], [registered('90071992547409.91'), statusSet(false, '0.00')]]) {
      const state = history.reduce(evolve, unknownCustomer);
      const stored = JSON.parse(JSON.stringify(customerSnapshot.encode(state)));
      expect(customerSnapshot.decode(stored)).toEqual(state);
    }
    expect(() => customerSnapshot.decode({ status: 'REGISTERED' })).toThrow();
  });
  it('is not made of a history that does not begin with a registration', () => {
    expect(() => evolve(unknownCustomer, paid('1.00'))).toThrow('PaymentRecorded before CustomerRegistered');
  });
});
