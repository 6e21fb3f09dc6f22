import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ATTEMPTS } from '../../src/platform/event-log/execute.js';
import {
  acceptedOf,
  alice,
  codesOf,
  dyingCommerce,
  onTransfers,
  overtakenCommerce,
  root,
} from './transfer-world.js';
import { type CommerceOnTest, joinCommerce, openCommerce } from './with-commerce.js';

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
      expect(await balancesOf(from, to)).toEqual(['10.00', '0.00']);
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
      const [, , closed] = await Promise.all([
        on.commerce.advanceTransfer(transferId),
        elsewhere.commerce.advanceTransfer(transferId),
        on.commerce.closeAccount(root, { accountId: to }),
      ]);
      const story = await world.storyOf(transferId);
      expect(story).toHaveLength(3);
      expect([...(await balancesOf(from, to)), ...codesOf(closed)]).toEqual(
        story.at(-1) === 'Completed'
          ? ['4.00', '6.00', 'ACCOUNT_NOT_EMPTY input accountId']
          : ['10.00', '0.00'],
      );
    }
  });
});
