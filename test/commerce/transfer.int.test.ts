import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountStream } from '../../src/domains/commerce/account/events.js';
import { transferStream } from '../../src/domains/commerce/transfer/events.js';
import { ATTEMPTS } from '../../src/platform/event-log/execute.js';
import {
  acceptedOf,
  alice,
  bob,
  codesOf,
  dyingCommerce,
  onTransfers,
  overtakenCommerce,
  root,
} from './transfer-world.js';
import { type CommerceOnTest, ids, joinCommerce, openCommerce } from './with-commerce.js';

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
const close = async (accountId: string) => acceptedOf(await on.commerce.closeAccount(root, { accountId }));

describe('a transfer', () => {
  it('moves the money and tells its story on every stream, under one correlation id', async () => {
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
    expect(await ask({}, bob)).toEqual(['FORBIDDEN input fromAccountId']);
    expect(await ask({ fromAccountId: gone })).toEqual(['ACCOUNT_CLOSED input fromAccountId']);
    expect(await ask({ toAccountId: gone })).toEqual(['ACCOUNT_CLOSED input toAccountId']);
    expect(await ask({ toAccountId: euros })).toEqual(['CURRENCY_MISMATCH input toAccountId']);
    expect(await ask({ amount: '0' })).toEqual(['AMOUNT_NOT_POSITIVE input amount']);
    expect(await ask({ amount: '-1' })).toEqual(['AMOUNT_NOT_POSITIVE input amount']);
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
    expect(await balancesOf(from, to)).toEqual(['10.00', '1.00']);
    expect((await on.log.readStream(accountStream(from))).at(-1)).toMatchObject({
      type: 'MoneyDeposited',
      data: { description: `Transfer to ${to} returned`, transferId },
    });
    expect(await world.pending()).not.toContain(transferId);
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
    const [from, to] = [await world.newAccount('10'), await world.newAccount()];
    const transferId = await world.start(from, to, '6');
    const head = await on.log.head();
    expect(codesOf(await on.commerce.closeAccount(alice, { accountId: from }))).toEqual([
      'TRANSFERS_PENDING input accountId',
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

  it('closed after its transfer was asked for, but before it began, keeps its money', async () => {
    const [from, to] = [await world.newAccount('10'), await world.newAccount()];
    const late = overtakenCommerce(on, 1, () => close(from));
    const input = { fromAccountId: from, toAccountId: to, amount: '6' };
    const { aggregateId } = acceptedOf(await late.transferMoney(alice, input));
    await on.commerce.advanceTransfer(aggregateId);
    expect(await world.storyOf(aggregateId)).toEqual(['Started', 'Refused']);
    expect(await balancesOf(from, to)).toEqual(['10.00', '0.00']);
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

describe('a worker killed', () => {
  const kills = [1, 2].flatMap((at) => (['before', 'after'] as const).map((when) => ({ at, when })));

  it.each(kills)(
    'just $when append $at leaves a transfer that ends once, completed',
    async ({ at, when }) => {
      const [from, to] = [await world.newAccount('10'), await world.newAccount('1')];
      const transferId = await world.start(from, to, '6');
      await expect(dyingCommerce(on, at, when).advanceTransfer(transferId)).rejects.toThrow('killed');
      await elsewhere.commerce.advanceTransfer(transferId);
      expect(await world.storyOf(transferId)).toEqual(['Started', 'Debited', 'Completed']);
      expect(await balancesOf(from, to)).toEqual(['4.00', '7.00']);
      expect(await world.pending()).not.toContain(transferId);
    },
  );

  it.each(kills)(
    'just $when append $at of a way back leaves the money at its source',
    async ({ at, when }) => {
      const [from, to] = [await world.newAccount('10'), await world.newAccount('1')];
      const transferId = await world.start(from, to, '6');
      await close(to);
      await expect(dyingCommerce(on, at, when).advanceTransfer(transferId)).rejects.toThrow('killed');
      await elsewhere.commerce.advanceTransfer(transferId);
      expect(await world.storyOf(transferId)).toEqual(['Started', 'Debited', 'Compensated']);
      expect(await balancesOf(from, to)).toEqual(['10.00', '1.00']);
      expect(await world.pending()).not.toContain(transferId);
    },
  );

  it.each(['before', 'after'] as const)('just %s a refusal leaves it refused once', async (when) => {
    const [from, to] = [await world.newAccount('10'), await world.newAccount()];
    const transferId = await world.start(from, to, '6');
    await withdraw(from, '9');
    await expect(dyingCommerce(on, 1, when).advanceTransfer(transferId)).rejects.toThrow('killed');
    await elsewhere.commerce.advanceTransfer(transferId);
    expect(await world.storyOf(transferId)).toEqual(['Started', 'Refused']);
    expect(await balancesOf(from, to)).toEqual(['1.00', '0.00']);
  });
});

describe('a step that is overtaken', () => {
  it('by a withdrawal takes no money that is not there', async () => {
    const [from, to] = [await world.newAccount('10'), await world.newAccount()];
    const transferId = await world.start(from, to, '6');
    await overtakenCommerce(on, 1, () => withdraw(from, '5')).advanceTransfer(transferId);
    expect(await world.storyOf(transferId)).toEqual(['Started', 'Refused']);
    expect(await balancesOf(from, to)).toEqual(['5.00', '0.00']);
  });

  it('by the closing of the target puts no money into a closed account', async () => {
    const [from, to] = [await world.newAccount('10'), await world.newAccount()];
    const transferId = await world.start(from, to, '6');
    await overtakenCommerce(on, 2, () => close(to)).advanceTransfer(transferId);
    expect(await world.storyOf(transferId)).toEqual(['Started', 'Debited', 'Compensated']);
    expect(await balancesOf(from, to)).toEqual(['10.00', '0.00']);
  });

  it('by the credit does not give the money back as well', async () => {
    const [from, to] = [await world.newAccount('10'), await world.newAccount('90071992547400.00')];
    const transferId = await world.start(from, to, '6');
    acceptedOf(await on.commerce.deposit(alice, { accountId: to, amount: '9.91' }));
    const late = overtakenCommerce(on, 2, async () => {
      await withdraw(to, '100');
      await elsewhere.commerce.advanceTransfer(transferId);
    });
    await late.advanceTransfer(transferId);
    expect(await world.storyOf(transferId)).toEqual(['Started', 'Debited', 'Completed']);
    expect(await balancesOf(from, to)).toEqual(['4.00', '90071992547315.91']);
  });

  it('again and again gives up, and the transfer is as it was', async () => {
    const [from, to] = [await world.newAccount('10'), await world.newAccount()];
    const transferId = await world.start(from, to, '6');
    const unlucky = overtakenCommerce(on, 'always', () => withdraw(from, '0.01'));
    await expect(unlucky.advanceTransfer(transferId)).rejects.toThrow('CONFLICT');
    expect(await world.storyOf(transferId)).toEqual(['Started']);
    expect(await balancesOf(from, to)).toEqual([(10 - ATTEMPTS / 100).toFixed(2), '0.00']);
  });
});

describe('two processes', () => {
  it('that advance the same transfers at once move each once', async () => {
    const [from, to] = [await world.newAccount('100'), await world.newAccount()];
    const transferIds = await Promise.all(Array.from({ length: 8 }, () => world.start(from, to, '1')));
    const advancing = () =>
      transferIds.flatMap((transferId) =>
        [on, elsewhere, on].map(({ commerce }) => commerce.advanceTransfer(transferId)),
      );
    for (const outcome of await Promise.allSettled(advancing())) {
      // One that lost too often says so, and is taken up again.
      if (outcome.status === 'rejected') expect(outcome.reason.message).toContain('CONFLICT');
    }
    for (const transferId of transferIds) {
      await on.commerce.advanceTransfer(transferId);
      expect(await world.storyOf(transferId)).toEqual(['Started', 'Debited', 'Completed']);
    }
    expect(await balancesOf(from, to)).toEqual(['92.00', '8.00']);
  });

  it('of which one credits while the target closes end the transfer one way', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [from, to] = [await world.newAccount('10'), await world.newAccount()];
      const transferId = await world.start(from, to, '6');
      await Promise.all([
        on.commerce.advanceTransfer(transferId),
        elsewhere.commerce.advanceTransfer(transferId),
        close(to),
      ]);
      const story = await world.storyOf(transferId);
      expect(await balancesOf(from, to)).toEqual(
        story.at(-1) === 'Completed' ? ['4.00', '6.00'] : ['10.00', '0.00'],
      );
      expect(story).toHaveLength(3);
    }
  });
});
