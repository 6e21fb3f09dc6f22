import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accountStream } from '../../src/domains/commerce/account/events.js';
import { transferStream } from '../../src/domains/commerce/transfer/events.js';
import { createCommerceReadModels } from '../../src/projectors/commerce/index.js';
import {
  acceptedOf,
  alice,
  bob,
  codesOf,
  dyingCommerce,
  onTransfers,
  overtakenCommerce,
} from './transfer-world.js';
import {
  type CommerceOnTest,
  callerNamed,
  ids,
  joinCommerce,
  openCommerce,
  startProjector,
} from './with-commerce.js';

let on: CommerceOnTest;
let elsewhere: CommerceOnTest;
let world: ReturnType<typeof onTransfers>;

beforeAll(async () => {
  on = await openCommerce();
  elsewhere = joinCommerce(on.url);
  world = onTransfers(on);
});
afterAll(async () => {
  await elsewhere.close();
  await on.close();
});

const balancesOf = (...accountIds: string[]) => Promise.all(accountIds.map(world.balanceOf));
const withdraw = async (accountId: string, amount: string) =>
  acceptedOf(await on.commerce.withdraw(alice, { accountId, amount }));
const close = (accountId: string) => world.close(accountId);

describe('a transfer', () => {
  it('moves the money, with events in each stream under one correlation id', async () => {
    const [from, to] = [await world.newAccount('10'), await world.newAccount(undefined, bob)];
    const input = { fromAccountId: from, toAccountId: to, amount: '2.5', description: 'rent' };
    const { aggregateId: transferId, version } = acceptedOf(await on.commerce.transferMoney(alice, input));
    expect(version).toBe(0);
    expect(await world.pending()).toContain(transferId);

    await on.commerce.advanceTransfer(transferId);
    expect(await balancesOf(from, to)).toEqual(['7.50', '2.50']);
    expect(await world.pending()).not.toContain(transferId);

    const story = await on.log.readStream(transferStream(transferId));
    const given = (await on.log.readStream(accountStream(from))).at(-1)!;
    const taken = (await on.log.readStream(accountStream(to))).at(-1)!;
    expect(story.map(({ type }) => type)).toEqual([
      'TransferStarted',
      'TransferDebited',
      'TransferCompleted',
    ]);
    const facts = { transferId, amount: '2.50', currency: 'USD', description: 'rent' };
    expect(given).toMatchObject({ type: 'MoneyWithdrawn', data: facts });
    expect(taken).toMatchObject({ type: 'MoneyDeposited', data: facts });
    for (const { metadata } of [...story, given, taken]) {
      expect(metadata).toMatchObject({ correlationId: alice.correlationId, userId: 'alice' });
    }
    expect(given.metadata.causationId).toBe(`transfer/${transferId}/debit`);
    expect(taken.metadata.causationId).toBe(`transfer/${transferId}/credit`);
  });

  it('is refused at once for what is known now, and nothing is appended', async () => {
    const [from, to] = [await world.newAccount('10'), await world.newAccount(undefined, bob)];
    const [euros, gone] = [await world.newAccount('1', alice, 'EUR'), await world.newAccount()];
    await close(gone);
    const head = await on.log.head();
    const ask = async (change: object, caller = alice) =>
      codesOf(
        await on.commerce.transferMoney(caller, {
          fromAccountId: from,
          toAccountId: to,
          amount: '1',
          ...change,
        }),
      );
    expect(await ask({ toAccountId: from })).toEqual(['TRANSFER_TO_SELF input toAccountId']);
    expect(await ask({ fromAccountId: 'nobody' })).toEqual(['ACCOUNT_NOT_FOUND input fromAccountId']);
    expect(await ask({ toAccountId: 'nobody' })).toEqual(['ACCOUNT_NOT_FOUND input toAccountId']);
    expect(await ask({}, bob)).toEqual(['ACCOUNT_NOT_FOUND input fromAccountId']);
    expect(await ask({ fromAccountId: gone })).toEqual(['ACCOUNT_CLOSED input fromAccountId']);
    expect(await ask({ toAccountId: gone })).toEqual(['ACCOUNT_CLOSED input toAccountId']);
    expect(await ask({ toAccountId: euros })).toEqual(['CURRENCY_MISMATCH input toAccountId']);
    expect(await ask({ amount: '0' })).toEqual(['AMOUNT_NOT_POSITIVE input amount']);
    expect(await ask({ amount: '-1' })).toEqual(['AMOUNT_NOT_POSITIVE input amount']);
    expect(await ask({ amount: '1.' })).toEqual(['AMOUNT_INVALID input amount']);
    expect(await ask({ amount: '0.001' })).toEqual(['AMOUNT_TOO_PRECISE input amount']);
    expect(await ask({ amount: '9'.repeat(20) })).toEqual(['AMOUNT_TOO_LARGE input amount']);
    expect(await ask({ amount: '10.01' })).toEqual(['INSUFFICIENT_FUNDS input amount']);
    expect(
      await ask({ fromAccountId: '', toAccountId: 'a'.repeat(256), description: 'a\0', commandId: 'c d' }),
    ).toEqual([
      'ID_INVALID input fromAccountId',
      'ID_INVALID input toAccountId',
      'DESCRIPTION_INVALID input description',
      'ID_INVALID input commandId',
    ]);
    expect(await on.log.head()).toBe(head);
  });

  it('sent again under its commandId is the first one, also when it could not be paid any more', async () => {
    const [from, to] = [await world.newAccount('10'), await world.newAccount()];
    const input = { fromAccountId: from, toAccountId: to, amount: '10', commandId: ids.next() };
    const first = await on.commerce.transferMoney(alice, input);
    expect(await elsewhere.commerce.transferMoney(alice, input)).toEqual(first);
    await on.commerce.advanceTransfer(acceptedOf(first).aggregateId);
    expect(await elsewhere.commerce.transferMoney(alice, input)).toEqual(first);
    expect(codesOf(await on.commerce.transferMoney(alice, { ...input, amount: '9' }))).toEqual([
      'COMMAND_ID_REUSED input commandId',
    ]);
    expect(await balancesOf(from, to)).toEqual(['0.00', '10.00']);
  });

  it('whose source was emptied meanwhile is refused, and nothing moves', async () => {
    const [from, to] = [await world.newAccount('10'), await world.newAccount()];
    const transferId = await world.start(from, to, '6');
    await withdraw(from, '5');
    await on.commerce.advanceTransfer(transferId);
    const story = await on.log.readStream(transferStream(transferId));
    expect(story.at(-1)).toMatchObject({ type: 'TransferRefused', data: { reason: 'INSUFFICIENT_FUNDS' } });
    expect(await balancesOf(from, to)).toEqual(['5.00', '0.00']);
    expect(await world.pending()).not.toContain(transferId);
  });

  it('whose target was closed meanwhile gives the money back', async () => {
    const [from, to] = [await world.newAccount('10'), await world.newAccount('1')];
    const transferId = await world.start(from, to, '6');
    await close(to);
    await on.commerce.advanceTransfer(transferId);
    const story = await on.log.readStream(transferStream(transferId));
    expect(story.map(({ type }) => type)).toEqual([
      'TransferStarted',
      'TransferDebited',
      'TransferCompensated',
    ]);
    expect(story.at(-1)).toMatchObject({ data: { reason: 'ACCOUNT_CLOSED' } });
    expect(await balancesOf(from, to)).toEqual(['10.00', '0.00']);
    expect((await on.log.readStream(accountStream(from))).at(-1)).toMatchObject({
      type: 'MoneyDeposited',
      data: { description: `Transfer to ${to} returned`, transferId },
    });
    expect(await world.pending()).not.toContain(transferId);
  });

  it('whose money comes back to a full account lifts it past what others may pay in, and it can still be read', async () => {
    const [full, target] = [await world.newAccount('90071992547409.91'), await world.newAccount()];
    const transferId = await world.start(full, target, '5');
    const away = overtakenCommerce(on, 2, async () => {
      acceptedOf(await on.commerce.deposit(alice, { accountId: full, amount: '5' }));
      acceptedOf(await on.commerce.closeAccount(alice, { accountId: target }));
    });
    await away.advanceTransfer(transferId);
    expect(await world.storyOf(transferId)).toEqual(['Started', 'Debited', 'Compensated']);
    const [summary] = createCommerceReadModels({ wakeUps: { publish: async () => undefined } });
    const projector = startProjector(on, summary!);
    await vi.waitFor(
      async () =>
        expect(await on.commerce.account(alice, full)).toMatchObject({ balance: '90071992547414.91' }),
      { timeout: 20_000, interval: 10 },
    );
    await projector.stop();
    expect(codesOf(await on.commerce.deposit(alice, { accountId: full, amount: '1' }))).toEqual([
      'AMOUNT_TOO_LARGE input amount',
    ]);
  });

  it('whose target is too full is accepted, and the money comes back', async () => {
    const [from, full] = [await world.newAccount('10'), await world.newAccount('90071992547409.91', bob)];
    const transferId = await world.start(from, full, '6');
    await on.commerce.advanceTransfer(transferId);
    expect(await world.storyOf(transferId)).toEqual(['Started', 'Debited', 'Compensated']);
    const story = await on.log.readStream(transferStream(transferId));
    expect(story.at(-1)).toMatchObject({ data: { reason: 'AMOUNT_TOO_LARGE' } });
    expect(await balancesOf(from, full)).toEqual(['10.00', '90071992547409.91']);
  });

  it('is one too many while 200 from its source are not over, and nobody else’s concern', async () => {
    const [from, to, other] = [
      await world.newAccount('300'),
      await world.newAccount('1'),
      await world.newAccount('1'),
    ];
    const input = { fromAccountId: from, toAccountId: to, amount: '1' };
    const commandId = ids.next();
    const first = acceptedOf(await on.commerce.transferMoney(alice, { ...input, commandId }));
    const asked = await Promise.all(
      Array.from({ length: 210 }, () => on.commerce.transferMoney(alice, input)),
    );
    const refusals = asked.flatMap(codesOf);
    expect(refusals).toEqual(Array.from({ length: 11 }, () => 'TOO_MANY_TRANSFERS input fromAccountId'));
    expect(await on.commerce.transferMoney(alice, { ...input, commandId })).toMatchObject({
      ok: true,
      value: first,
    });
    await world.start(other, to, '1');
    await world.start(to, from, '1');

    await on.commerce.advanceTransfer(first.aggregateId);
    await world.start(from, to, '1');
    expect(codesOf(await elsewhere.commerce.transferMoney(alice, input))).toEqual([
      'TOO_MANY_TRANSFERS input fromAccountId',
    ]);
  });

  it('is refused where 400 of its owner’s are pending, from whichever sources; others’ are not', async () => {
    const owner = callerNamed('trader');
    const start = async (fromAccountId: string) =>
      codesOf(await on.commerce.transferMoney(owner, { fromAccountId, toAccountId: target, amount: '0.01' }));
    const target = await world.newAccount();
    const sources = await Promise.all([1, 2, 3].map(() => world.newAccount('10', owner)));
    for (const source of sources.slice(0, 2))
      expect((await Promise.all(Array.from({ length: 200 }, () => start(source)))).flat()).toEqual([]);
    expect(await start(sources[2]!)).toEqual(['TOO_MANY_TRANSFERS input fromAccountId']);
    await world.start(await world.newAccount('1'), target, '1');
  });

  it('advanced again after its end changes nothing', async () => {
    const [from, to] = [await world.newAccount('10'), await world.newAccount()];
    const transferId = await world.start(from, to, '6');
    await on.commerce.advanceTransfer(transferId);
    const head = await on.log.head();
    await elsewhere.commerce.advanceTransfer(transferId);
    expect(await on.log.head()).toBe(head);
  });

  it('that was never started cannot be advanced', async () => {
    await expect(on.commerce.advanceTransfer('nothing')).rejects.toThrow('there is no transfer nothing');
  });
});

describe('an account', () => {
  it('cannot close while transfers from it are pending, and can once they are over', async () => {
    const [from, to] = [await world.newAccount('6'), await world.newAccount()];
    const transferId = await world.start(from, to, '6');
    const head = await on.log.head();
    expect(codesOf(await on.commerce.closeAccount(alice, { accountId: from }))).toEqual([
      'ACCOUNT_NOT_EMPTY input accountId',
    ]);
    expect(await on.log.head()).toBe(head);
    // The debit is done, the credit is not.
    await expect(dyingCommerce(on, 2, 'before').advanceTransfer(transferId)).rejects.toThrow('killed');
    expect(await world.storyOf(transferId)).toEqual(['Started', 'Debited']);
    expect(codesOf(await elsewhere.commerce.closeAccount(alice, { accountId: from }))).toEqual([
      'TRANSFERS_PENDING input accountId',
    ]);
    await on.commerce.advanceTransfer(transferId);
    await close(from);
  });

  it('emptied and closed after its transfer was asked for, but before it began, gives nothing', async () => {
    const [from, to] = [await world.newAccount('10'), await world.newAccount()];
    const late = overtakenCommerce(on, 1, () => close(from));
    const input = { fromAccountId: from, toAccountId: to, amount: '6' };
    const { aggregateId } = acceptedOf(await late.transferMoney(alice, input));
    await on.commerce.advanceTransfer(aggregateId);
    expect(await world.storyOf(aggregateId)).toEqual(['Started', 'Refused']);
    expect(await balancesOf(from, to)).toEqual(['0.00', '0.00']);
  });

  it('that gives more than a hundred transfers is loaded from a snapshot', async () => {
    const [from, to] = [await world.newAccount('200'), await world.newAccount()];
    const transferIds = await Promise.all(Array.from({ length: 101 }, () => world.start(from, to, '1')));
    await Promise.all(transferIds.map(on.commerce.advanceTransfer));
    expect(await balancesOf(from, to)).toEqual(['99.00', '101.00']);
    for (const accountId of [from, to]) {
      const { snapshot } = await on.log.readFromSnapshot(accountStream(accountId), 1);
      expect(snapshot?.streamPosition).toBe(100);
    }
  });
});
