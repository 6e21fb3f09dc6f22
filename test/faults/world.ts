import { vi } from 'vitest';
import type { Role } from '../../src/platform/auth/auth.js';
import { signIn } from '../support/client.js';
import { graphql } from '../support/generated/gql.js';
import type { Caller } from './caller.js';
import { documents } from './documents.js';
import type { Fleet } from './fleet.js';

/** Their posts are never deleted: subscribers hear of each. */
export const keptAuthors = ['kept-0', 'kept-1'] as const;
/** Their posts are edited and deleted. */
export const changingAuthors = ['changing-0', 'changing-1'] as const;
/** They block and unblock the kept authors. */
export const blockers = ['blocker-0', 'blocker-1'] as const;
export const readers = ['reader', 'fan'] as const;
export const LIVE_ACCOUNT = 'acc-live';
export const OTHER_ACCOUNT = 'acc-other';
export const PRODUCT = 'prod-0';
export const STOCK = 100_000;
export const PRICE = '2.00';
/** Exempt from the limits of what a user is sent. */
export const TYPE = 'SECURITY_ALERT';

const me = graphql(`query FaultMe { me { userId } }`);
const follow = graphql(`mutation FaultFollow($userId: ID!) {
  followUser(input: { userId: $userId }) { userErrors { code } } }`);
const saveTemplate = graphql(`mutation FaultTemplate($input: SaveTemplateInput!) {
  saveTemplate(input: $input) { userErrors { code path } } }`);
const registerDevice = graphql(`mutation FaultDevice($input: RegisterDeviceInput!) {
  registerDevice(input: $input) { userErrors { code path } } }`);
const settings = graphql(`mutation FaultSettings($email: String, $phone: String) {
  updateNotificationSettings(input: { email: $email, phone: $phone }) { userErrors { code path } } }`);
const account = graphql(`mutation FaultAccount($input: CreateAccountInput!) {
  createAccount(input: $input) { userErrors { code } } }`);
const product = graphql(`mutation FaultProduct($input: SaveProductInput!) {
  saveProduct(input: $input) { userErrors { code } } }`);
const accountReached = graphql(`query FaultAccountReached($accountId: ID!) {
  account(accountId: $accountId, afterVersion: 0) { version } }`);
const customer = graphql(`mutation FaultCustomer($input: RegisterCustomerInput!) {
  registerCustomer(input: $input) { userErrors { code } } }`);

/** Who acts in the load, signed in at every api. */
export type People = Readonly<Record<string, Caller>>;

/** People who follow each other, with addresses; texts, accounts, a product and a customer. */
export async function settle(fleet: Fleet): Promise<People> {
  const one = async (userId: string, roles: Role[] = ['user']): Promise<Caller> => ({
    userId,
    at: await Promise.all(fleet.apis.map(({ url }) => signIn(url, userId, roles))),
  });
  const users = [...keptAuthors, ...changingAuthors, ...blockers, ...readers];
  const callers = await Promise.all([
    ...users.map((userId) => one(userId)),
    one('shop', ['user', 'producer', 'admin']),
  ]);
  const people = Object.fromEntries(callers.map((caller) => [caller.userId, caller]));
  const at = (userId: string) => people[userId]!.at[0]!;
  await Promise.all(users.map((userId) => at(userId).run(me, {})));
  for (const follower of [...readers, ...blockers])
    for (const author of [...keptAuthors, ...changingAuthors])
      await at(follower).run(follow, { userId: author });

  const shop = at('shop');
  const text = { notificationType: TYPE, body: 'Hello {{n}}' };
  const texts = [
    { channel: 'PUSH' as const, templateId: 'faults' },
    { channel: 'EMAIL' as const, subject: 'Hello {{n}}' },
    { channel: 'SMS' as const },
    { channel: 'IN_APP' as const },
  ];
  for (const own of texts) await shop.run(saveTemplate, { input: { ...text, ...own } });
  for (const [index, userId] of readers.entries()) {
    const deviceToken = `abcdef0${index}`;
    await at(userId).run(registerDevice, { input: { deviceId: 'phone', platform: 'IOS', deviceToken } });
    await at(userId).run(settings, { email: `${userId}@example.com`, phone: `+1555123456${index}` });
  }
  for (const accountId of [LIVE_ACCOUNT, OTHER_ACCOUNT])
    await shop.run(account, { input: { accountId, ownerId: 'shop' } });
  await shop.run(product, { input: { productId: PRODUCT, name: 'Thing', unitPrice: PRICE, inStock: STOCK } });
  const names = { firstName: 'Ada', lastName: 'Buyer', email: 'ada@example.com' };
  await shop.run(customer, { input: { customerId: 'cust-0', ...names, creditLimit: '100000' } });
  // Subscribers begin after an account's first version, which the read model must have.
  await vi.waitFor(() => shop.run(accountReached, { accountId: LIVE_ACCOUNT }), { timeout: 60_000 });
  // Transfers need something to move.
  await shop.run(documents.deposit, {
    input: { accountId: LIVE_ACCOUNT, amount: '100000', description: 'first' },
  });
  return people;
}
