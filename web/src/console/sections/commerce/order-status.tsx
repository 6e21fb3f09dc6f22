import { Status } from '../../../common/ui/status.js';
import type { OrderStatus } from '../../../generated/graphql.js';
import { useTexts } from './texts.js';

const TONES = { CONFIRMED: 'busy', SHIPPED: 'good', CANCELLED: 'over' } as const;

export function OrderStatusBadge({ status }: { readonly status: OrderStatus }) {
  const t = useTexts();
  return <Status tone={TONES[status]}>{t(`order.statuses.${status}`)}</Status>;
}
