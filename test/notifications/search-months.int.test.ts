import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDeliveryIndexer } from '../../src/domains/notifications/search/index-deliveries.js';
import { forgetting } from './forgetting.js';
import { DAY_MS, type MonthsWorld, monthAfter, openMonthsWorld } from './months-world.js';

let world: MonthsWorld;
beforeEach(async () => {
  world = await openMonthsWorld();
});
afterEach(() => world.close());

const counts = async () =>
  (
    await world.rows<{ documents: number; blocks: number }>(
      `SELECT (SELECT count(*)::int FROM delivery_search_documents) AS documents,
              (SELECT count(*)::int FROM delivery_search_blocks) AS blocks`,
    )
  )[0]!;

it('a month of search documents goes after the deliveries of that month, and not before', async () => {
  const now = new Date();
  const { deliveryIds, requestId } = await world.accept(now);
  await world.step(deliveryIds[0]!, now, 'DELIVERED');
  await createDeliveryIndexer(world)(new AbortController().signal);
  expect(await counts()).toEqual({ documents: 1, blocks: 1 });

  const later = { now: () => monthAfter(now, 3).getTime() + 91 * DAY_MS };
  const { documentMonths } = forgetting(world.postgres, later);
  expect(await documentMonths(10)).toBe(0);
  expect(await counts()).toEqual({ documents: 1, blocks: 1 });

  const { requestMonths } = forgetting(world.postgres, later);
  while ((await requestMonths(4_000)) === 4_000);
  expect(await world.rows('SELECT FROM deliveries WHERE request_id = $1', [requestId])).toEqual([]);
  while ((await documentMonths(10)) === 10);
  expect(await counts()).toEqual({ documents: 0, blocks: 0 });
  expect(await world.rows("SELECT FROM pg_class WHERE relname = 'delivery_search_documents_first'")).toEqual(
    [],
  );
});
