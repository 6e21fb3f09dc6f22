// Generated from orders.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../platform/postgres.js';

export const sql = loadStatements<{
  readonly readOrders: Statement<{
    readonly order_id: string;
    readonly customer_id: string;
    readonly owner_id: string;
    readonly customer_name: string;
    readonly customer_email: string;
    readonly status: import('../../domains/commerce/order/order.js').OrderStatus;
    readonly items: readonly import('../../domains/commerce/order/events.js').OrderedItem[];
    readonly total_amount: string;
    readonly shipping_address: string;
    readonly placed_at: Date;
    readonly tracking_number: string | null;
    readonly shipped_at: Date | null;
    readonly cancelled_at: Date | null;
    readonly cancellation_reason: string | null;
    readonly version: number;
    readonly last_event_position: number;
  }>;
  readonly readCustomers: Statement<{
    readonly customer_id: string;
    readonly name: string;
    readonly email: string;
    readonly last_event_position: number;
  }>;
  readonly writeOrders: Statement<Record<never, never>>;
  readonly writeCustomers: Statement<Record<never, never>>;
}>(new URL('./orders.sql', import.meta.url));
