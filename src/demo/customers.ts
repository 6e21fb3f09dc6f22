import { type CustomerEvent, customerStream } from '../domains/commerce/customer/events.js';
import type { ShippingAddress } from '../domains/commerce/order/events.js';
import { DEFAULT_CREDIT_LIMIT } from '../domains/commerce/shop.js';
import type { NewEvent } from '../platform/event-log/index.js';
import { type Happening, happening } from './happening.js';
import { FRIENDS, type Person } from './people.js';
import { type Random, seededRandom } from './random.js';
import { DAY } from './rhythm.js';

export interface DemoCustomer {
  readonly customerId: string;
  /** The user whom the customer belongs to. */
  readonly userId: string;
  readonly registered: Happening;
  readonly address: ShippingAddress;
  /** How likely an order is this customer's. */
  readonly weight: number;
  /** How much of the credit limit the customer never uses, in minor units: a guide's reader can order for a friend. */
  readonly keepsFree: number;
}

export const CUSTOMERS = 150;
/** One in so many was registered when a customer had one name, in events of schema version 1. */
const ONE_IN_V1 = 3;
const CREDIT_LIMITS = [DEFAULT_CREDIT_LIMIT, '500.00', '2500.00', '5000.00'];

/** The friends, and the next people who have been here for a while; all registered before the first order. */
export function makeCustomers(people: readonly Person[], now: number): readonly DemoCustomer[] {
  const random = seededRandom(8);
  return people
    .filter(({ createdAt }) => createdAt <= now - 90 * DAY)
    .slice(0, CUSTOMERS)
    .map((person, index): DemoCustomer => {
      const { userId } = person;
      const customerId = `cust-${userId}`;
      const isFriend = index < FRIENDS.length;
      const event =
        index % ONE_IN_V1 === 1
          ? registeredV1(person, isFriend, random)
          : registered(person, isFriend, random);
      const at = now - 61 * DAY - Math.floor(random.next() * 27 * DAY);
      return {
        customerId,
        userId,
        registered: happening(customerStream(customerId), event, userId, at),
        address: makeAddress(random),
        weight: isFriend ? 5 : 0.3 + 2 * random.next() ** 2,
        keepsFree: isFriend ? 50_000 : 0,
      };
    });
}

const email = (userId: string): string => `${userId}@example.com`;

/** As the document has it, at times with the fields added since; without them the owner is the user who registered it. */
function registeredV1({ userId, displayName }: Person, isFriend: boolean, random: Random): NewEvent {
  const name = isFriend ? displayName : oneName(displayName, random);
  const gained = random.chance(0.4) ? { userId, creditLimit: random.pick(CREDIT_LIMITS) } : {};
  return { type: 'CustomerRegistered', data: { name, email: email(userId), ...gained, version: 1 } };
}

/** Without a space, with one, or with several. */
function oneName(displayName: string, { faker, ...random }: Random): string {
  const [first = '', ...last] = displayName.split(' ');
  const kind = random.next();
  if (kind < 0.2) return first;
  return kind < 0.45 ? [first, faker.person.middleName(), ...last].join(' ') : displayName;
}

function registered({ userId, displayName }: Person, isFriend: boolean, random: Random): CustomerEvent {
  const [firstName = '', ...last] = displayName.split(' ');
  const particle = !isFriend && random.chance(0.1) ? [random.pick(['van der', 'de la', 'von', 'di'])] : [];
  return {
    type: 'CustomerRegistered',
    data: {
      customerId: `cust-${userId}`,
      userId,
      firstName,
      lastName: [...particle, ...last].join(' '),
      email: email(userId),
      creditLimit: isFriend ? '2500.00' : random.pick(CREDIT_LIMITS),
      version: 2,
    },
  };
}

/** The document asks for city and zip alone; so do some customers. */
function makeAddress({ faker, ...random }: Random): ShippingAddress {
  const place = { city: faker.location.city(), zip: faker.location.zipCode('#####') };
  const street = faker.location.streetAddress();
  return random.chance(0.12)
    ? { street: null, ...place, country: null }
    : { street, ...place, country: 'US' };
}
