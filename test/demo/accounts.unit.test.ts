import { describe, expect, it } from 'vitest';
import { makeHistory } from '../../src/demo/history.js';
import { balance } from '../../src/demo/ledger.js';
import { accountAggregate } from '../../src/domains/commerce/account/aggregate.js';
import { readAccountEvent } from '../../src/domains/commerce/account/events.js';
import { accountIdRule } from '../../src/domains/commerce/rules.js';
import { all, cents, demo, events, history, type Of } from './demo-events.js';

describe('the accounts of the demo data', () => {
  it('have only events that the account’s own rules accept, with and without transfers', () => {
    expect(demo.accounts).toHaveLength(200);
    expect(demo.accounts.filter(({ accountId }) => !accountIdRule.shape.test(accountId))).toEqual([]);
    for (const transfers of [demo.transfers, []]) {
      const states = new Map<string, typeof accountAggregate.initial>();
      for (const event of makeHistory({ ...demo, transfers })) {
        if (!event.streamId.startsWith('Account-')) continue;
        const before = states.get(event.streamId) ?? accountAggregate.initial;
        expect(before.status).not.toBe('CLOSED');
        const after = accountAggregate.evolve(before, readAccountEvent(event));
        expect(after.status !== 'UNKNOWN' && after.balance >= 0n).toBe(true);
        states.set(event.streamId, after);
      }
      const closed = [...states.values()].filter(({ status }) => status === 'CLOSED');
      expect(closed).toHaveLength(transfers.length > 0 ? 1 : 0);
    }
  });

  it('moves money between accounts of one currency without losing any, and leaves no transfer unfinished', () => {
    const accounts = new Map(demo.accounts.map((account) => [account.accountId, account]));
    const fates: Record<string, number> = {};
    for (const { transferId, fromAccountId, toAccountId, currency, ownerId, amount } of all(
      'TransferStarted',
    )) {
      expect(accounts.get(fromAccountId)).toMatchObject({ currency, ownerId });
      expect(accounts.get(toAccountId)).toMatchObject({ currency });
      const own = events.filter(({ data }) => data.transferId === transferId);
      const steps = own.map(({ type, streamId }) =>
        streamId.startsWith('Account-') ? `${type} ${streamId === `Account-${fromAccountId}`}` : type,
      );
      fates[steps.join()] = (fates[steps.join()] ?? 0) + 1;
      expect(new Set(own.map(({ data }) => data.amount))).toEqual(new Set([amount]));
      expect(new Set(own.map(({ metadata }) => metadata.correlationId)).size).toBe(1);
    }
    expect(fates).toEqual({
      'TransferStarted,MoneyWithdrawn true,TransferDebited,MoneyDeposited false,TransferCompleted': 40,
      'TransferStarted,TransferRefused': 1,
      'TransferStarted,MoneyWithdrawn true,TransferDebited,MoneyDeposited true,TransferCompensated': 1,
    });
  });

  it('refuses a transfer that the account could not have made, and returns one from an account that was closed', () => {
    const [{ fromAccountId, amount }] = all('TransferRefused') as [Of<'TransferRefused'>];
    const deposits = events.filter(
      ({ streamId, type }) => streamId === `Account-${fromAccountId}` && type === 'MoneyDeposited',
    );
    const ever = deposits.reduce((sum, { data }) => sum + cents(String(data.amount)), 0);
    expect(cents(amount)).toBeGreaterThan(ever);

    const [{ transferId, toAccountId }] = all('TransferCompensated') as [Of<'TransferCompensated'>];
    const order = events
      .filter(({ data, type, streamId }) =>
        type === 'AccountClosed' ? streamId === `Account-${toAccountId}` : data.transferId === transferId,
      )
      .map(({ type }) => type);
    expect(order.indexOf('AccountClosed')).toBe(order.indexOf('TransferDebited') + 1);
  });
});

describe('the correlation ids of the demo data', () => {
  it('gives each order and each transfer a correlation id of its own, and each command its cause', () => {
    const streams = new Map<string, Set<string>>();
    for (const { streamId, metadata } of events) {
      if (!/^(Order|Transfer)-/.test(streamId)) continue;
      expect(metadata.causationId.startsWith(`${metadata.correlationId}/`)).toBe(true);
      expect(metadata.userId).toBeTruthy();
      const known = streams.get(metadata.correlationId) ?? new Set();
      streams.set(metadata.correlationId, known.add(streamId));
    }
    expect(streams.size).toBe(642);
    expect([...streams.values()].filter(({ size }) => size !== 1)).toEqual([]);
    for (const { at, data } of events.filter(({ data }) => data.timestamp !== undefined)) {
      expect(Date.parse(String(data.timestamp))).toBe(at);
    }
  });

  it.each(['Product-prod-025', 'Customer-cust-alice', 'Account-acc-bob', 'Order-order-0042'])(
    'leaves out whole what is about %s if that is somebody’s own',
    (taken) => {
      const rest = makeHistory(demo, new Set([taken]));
      const dropped = new Set(
        history.filter(({ relatedStreams }) => relatedStreams.includes(taken)).map(({ type }) => type),
      );
      expect(dropped.size).toBeGreaterThan(1);
      expect(
        rest.filter(({ streamId, relatedStreams }) => streamId === taken || relatedStreams.includes(taken)),
      ).toEqual([]);

      const lengths = new Map<string, number>();
      for (const { streamId, streamPosition } of rest) {
        expect(streamPosition).toBe(lengths.get(streamId) ?? 0);
        lengths.set(streamId, streamPosition + 1);
      }
      // Nobody ships, pays or takes back what was never ordered.
      const { stock, credit } = balance(rest);
      for (const { onHand, reserved } of stock.values()) {
        expect(reserved >= 0 && reserved <= onHand).toBe(true);
      }
      for (const { outstanding } of credit.values()) expect(outstanding).toBeGreaterThanOrEqual(0n);
    },
  );
});
