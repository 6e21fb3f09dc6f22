import type { FastifyInstance } from 'fastify';
import { registerAccountRoutes } from './commerce-accounts.js';
import { registerOrderRoutes } from './commerce-orders.js';
import type { Deps } from './commerce-requests.js';
import { registerTransferRoutes } from './commerce-transfers.js';

/**
 * The REST face of commerce: orders, accounts and transfers.
 *
 * A command's body may have a `commandId`; the header `Idempotency-Key` stands for one that it has not. The same
 * id again answers the first result. Members that a body does not know are refused, not overlooked. A query waits
 * for `after_version`, 5 s at most, then answers 504.
 *
 * Refusals are `{"error":{"code","message","path"}}`. 400: a field is wrong in itself; 403; 404: the address names
 * nothing; 409: another command was there before; 422: a business rule, or the body names what there is not.
 */
export function registerCommerceRoutes(app: FastifyInstance, deps: Deps): void {
  registerOrderRoutes(app, deps);
  registerAccountRoutes(app, deps);
  registerTransferRoutes(app, deps);
}
