import { ok, type Result, refused, refusedAll, type UserError } from '../../../platform/errors.js';
import type { Optional } from '../command.js';
import { isHoldable, parseAmount } from '../money.js';
import {
  type Check,
  checkAll,
  cityRule,
  commandIdRule,
  countryRule,
  customerIdRule,
  orderIdRule,
  productIdRule,
  streetRule,
  zipRule,
} from '../rules.js';
import { SHOP_CURRENCY } from '../shop.js';
import type { ShippingAddress } from './events.js';
import type { OrderLine } from './place.js';

export interface PlaceOrderInput {
  /** Absent: made up. */
  readonly orderId?: Optional<string>;
  readonly customerId: string;
  readonly items: readonly {
    readonly productId: string;
    readonly quantity: number;
    /** A plain decimal: what the client takes for the unit price. */
    readonly price: string;
  }[];
  readonly shippingAddress: {
    readonly street?: Optional<string>;
    readonly city: string;
    readonly zip: string;
    readonly country?: Optional<string>;
  };
  readonly commandId?: Optional<string>;
}

/** Of one order. */
export const MOST_ITEMS = 100;
const MOST_OF_AN_ITEM = 100_000;
const ITEMS = ['input', 'items'];

/**
 * What must be true of an order by itself, every fault at once.
 *
 * Refuses with ID_INVALID, ITEMS_EMPTY, TOO_MANY_ITEMS, QUANTITY_INVALID, AMOUNT_NOT_POSITIVE, AMOUNT_TOO_PRECISE,
 * AMOUNT_TOO_LARGE (a price, or all together) and ADDRESS_INVALID.
 */
export function checkPlacing(
  input: PlaceOrderInput,
): Result<{ lines: readonly OrderLine[]; shippingAddress: ShippingAddress }> {
  const { items } = input;
  const { street = null, city, zip, country = null } = input.shippingAddress;
  const count = checkCount(items.length);
  const lines = count.ok ? items.map(checkItem) : [];
  const faults = [
    ...checkAll([
      [orderIdRule, input.orderId ?? null, 'orderId'],
      [customerIdRule, input.customerId, 'customerId'],
      [commandIdRule, input.commandId ?? null, 'commandId'],
      [streetRule, street, ['shippingAddress', 'street']],
      [cityRule, city, ['shippingAddress', 'city']],
      [zipRule, zip, ['shippingAddress', 'zip']],
      [countryRule, country, ['shippingAddress', 'country']],
    ]),
    ...[count, ...lines].flatMap((checked) => (checked.ok ? [] : checked.errors)),
  ];
  if (faults.length > 0) return refusedAll(faults);
  const checked = lines.flatMap((line) => (line.ok ? [line.value] : []));
  const total = checked.reduce((sum, { price, quantity }) => sum + price * BigInt(quantity), 0n);
  if (!isHoldable(total)) return refused('AMOUNT_TOO_LARGE', 'The total is too large', ITEMS);
  return ok({ lines: checked, shippingAddress: { street, city, zip, country } });
}

function checkCount(count: number): Result<number> {
  if (count === 0) return refused('ITEMS_EMPTY', 'An order needs an item', ITEMS);
  if (count > MOST_ITEMS) return refused('TOO_MANY_ITEMS', `An order has at most ${MOST_ITEMS} items`, ITEMS);
  return ok(count);
}

function checkItem(item: PlaceOrderInput['items'][number], index: number): Result<OrderLine> {
  const { productId, quantity } = item;
  const path = ['items', String(index)];
  const product: Check = [productIdRule, productId, [...path, 'productId']];
  const price = parseAmount(item.price, SHOP_CURRENCY, ['input', ...path, 'price']);
  const faults = [...checkAll([product]), ...checkQuantity(quantity, ['input', ...path, 'quantity'])];
  if (!price.ok) return refusedAll([...faults, ...price.errors]);
  return faults.length > 0 ? refusedAll(faults) : ok({ productId, quantity, price: price.value });
}

function checkQuantity(quantity: number, path: readonly string[]): readonly UserError[] {
  if (Number.isInteger(quantity) && quantity >= 1 && quantity <= MOST_OF_AN_ITEM) return [];
  return [{ code: 'QUANTITY_INVALID', message: `A quantity is 1 to ${MOST_OF_AN_ITEM}`, path }];
}
