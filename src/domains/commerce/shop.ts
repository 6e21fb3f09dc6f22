/** The one currency of products, orders and credit. ISO 4217. */
export const SHOP_CURRENCY = 'USD';

/** What a customer may owe if nothing was said. A decimal of the shop's currency. */
export const DEFAULT_CREDIT_LIMIT = '1000.00';

/** The highest credit limit that users may ask for when they register themselves; above it an admin decides. */
export const HIGHEST_OWN_CREDIT_LIMIT = '10000.00';

/** What all customers of one user may owe together if the user registers them. */
export const HIGHEST_OWN_CREDIT_TOTAL = '100000.00';

/** How many days after it was placed an order is expected to arrive. */
export const DELIVERY_DAYS = 5;
