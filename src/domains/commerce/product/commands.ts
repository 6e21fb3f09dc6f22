import { type Caller, metadataOf, scopedCommandId } from '../../../platform/auth/caller.js';
import { ok, type Result, refused, refusedAll } from '../../../platform/errors.js';
import { appendDecided } from '../../../platform/event-log/execute.js';
import { toStoredText } from '../../../platform/text.js';
import { type Accepted, actorOf, type CommandDeps } from '../command.js';
import { commerceProjections } from '../inline-projections.js';
import { bodiesOf, parseAmount } from '../money.js';
import { checkAll, commandIdRule, MAX_PRODUCT_NAME, productIdRule, productNameRule } from '../rules.js';
import { SHOP_CURRENCY } from '../shop.js';
import { decideSaving, type SaveProduct, stockReserved } from './decide.js';
import { productStream } from './events.js';
import type { SaveProductInput } from './product.js';
import { readStock } from './stock.js';

const MOST_IN_STOCK = 1_000_000_000;

/**
 * Puts a product into the catalogue, or changes its name, its price and how many are on hand. For admins.
 *
 * Refuses with ID_INVALID, NAME_INVALID, AMOUNT_NOT_POSITIVE, AMOUNT_TOO_PRECISE, AMOUNT_TOO_LARGE, STOCK_INVALID,
 * FORBIDDEN, STOCK_RESERVED, and what `appendDecided` refuses with.
 */
export async function saveProduct(
  deps: CommandDeps,
  caller: Caller,
  given: SaveProductInput,
): Promise<Result<Accepted>> {
  const input = { ...given, name: toStoredText(given.name, MAX_PRODUCT_NAME) };
  const checked = check(input);
  if (!checked.ok) return checked;
  const command: SaveProduct = { ...checked.value, actor: actorOf(caller) };
  const { productId, name, unitPrice, inStock } = input;
  const commandId = scopedCommandId(caller, 'saveProduct', input.commandId ?? deps.ids.next());
  const streamId = productStream(productId);
  const appended = await appendDecided(deps, {
    commandId,
    ...bodiesOf((spelled) => ({ productId, name: given.name, unitPrice: spelled(unitPrice), inStock })),
    metadata: metadataOf(caller, commandId),
    value: { productId },
    async decide() {
      const saved = decideSaving(command, await readStock(deps.postgres, productId));
      if (!saved.ok) return saved;
      return ok({
        // Orders write to the stream all the time, and none of their events is in this one's way.
        appends: [{ streamId, expected: 'any', events: [saved.value] }],
        inlineProjection: commerceProjections.call('save_product', {
          productId,
          name,
          unitPrice: Number(command.unitPrice),
          onHand: inStock,
        }),
      });
    },
    explain: ({ detail }) => stockReserved(detail.reserved as number),
  });
  if (!appended.ok) return appended;
  const { versions, position } = appended.value;
  return ok({ aggregateId: productId, version: versions[streamId]!, position });
}

/** What must be true of the input by itself, every fault at once. */
function check(input: SaveProductInput): Result<Omit<SaveProduct, 'actor'>> {
  const { productId, name, inStock } = input;
  const price = parseAmount(input.unitPrice, SHOP_CURRENCY, ['input', 'unitPrice']);
  const stock =
    Number.isInteger(inStock) && inStock >= 0 && inStock <= MOST_IN_STOCK
      ? ok(inStock)
      : refused('STOCK_INVALID', `0 to ${MOST_IN_STOCK} units can be in stock`, ['input', 'inStock']);
  const faults = [
    ...checkAll([
      [productIdRule, productId, 'productId'],
      [commandIdRule, input.commandId ?? null, 'commandId'],
      [productNameRule, name, 'name'],
    ]),
    ...(price.ok ? [] : price.errors),
    ...(stock.ok ? [] : stock.errors),
  ];
  if (!price.ok || faults.length > 0) return refusedAll(faults);
  return ok({ productId, name, unitPrice: price.value, inStock });
}
