import { type DemoCustomer } from './customers.js';
import { FRIENDS } from './people.js';
import { type Random } from './random.js';

/** Something that is to be tried in the shop. */
export type Step = {
  /** How far into the shop's span, from 0 up to 1. */
  readonly share: number;
} & (
  | { readonly kind: 'place' | 'ship' | 'pay' | 'cancel'; readonly order: number }
  | { readonly kind: 'leave' | 'return' | 'rise'; readonly customer: DemoCustomer }
);

export const DAYS = 60;
export const ORDERS = 600;
const PEOPLE_WHO_LEAVE = 10;
const PEOPLE_WHO_RISE = 8;

/** What comes in which order, whatever the hour: orders count from 1 in the order in which they are placed. */
export function makeAgenda(customers: readonly DemoCustomer[], random: Random): readonly Step[] {
  const placings = Array.from({ length: ORDERS }, () => random.next()).sort((a, b) => a - b);
  const steps = [
    ...changesOfStatus(customers, random),
    ...placings.flatMap((share, index) => lifeOfAnOrder(index + 1, share, random)),
  ];
  return steps.filter(({ share }) => share < 1).sort((a, b) => a.share - b.share);
}

/** Most orders are shipped within days, and about half of these are paid by now; few are cancelled. */
function lifeOfAnOrder(order: number, placed: number, random: Random): readonly Step[] {
  const after = (share: number, low: number, high: number) =>
    share + (low + random.next() * (high - low)) / DAYS;
  const place: Step = { kind: 'place', order, share: placed };
  const fate = random.next();
  if (fate < 0.08) return [place, { kind: 'cancel', order, share: after(placed, 0.02, 0.4) }];
  if (fate < 0.12) return [place];
  const ship: Step = { kind: 'ship', order, share: after(placed, 0.4, 4) };
  if (fate < 0.16) return [place, ship, { kind: 'cancel', order, share: after(ship.share, 1, 6) }];
  if (fate < 0.55) return [place, ship];
  return [place, ship, { kind: 'pay', order, share: after(ship.share, 0.5, 12) }];
}

/** The friends stay as they are. */
function changesOfStatus(customers: readonly DemoCustomer[], random: Random): readonly Step[] {
  const some = random.faker.helpers.shuffle(customers.slice(FRIENDS.length));
  const leaving = some.slice(0, PEOPLE_WHO_LEAVE).flatMap((customer, index): Step[] => {
    const left = random.next() * 0.8;
    const leave: Step = { kind: 'leave', customer, share: left };
    if (index % 3 > 0) return [leave];
    return [leave, { kind: 'return', customer, share: left + random.next() * (1 - left) }];
  });
  const rising = some
    .slice(PEOPLE_WHO_LEAVE, PEOPLE_WHO_LEAVE + PEOPLE_WHO_RISE)
    .map((customer): Step => ({ kind: 'rise', customer, share: random.next() }));
  return [...leaving, ...rising];
}
