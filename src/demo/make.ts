import { makeAccounts } from './accounts.js';
import { type DemoDevice, type DemoSettings, makeDevices, makeSettings } from './contacts.js';
import { makeCustomers } from './customers.js';
import { countFollowers, type FollowGraph, makeFollows } from './follows.js';
import type { DemoFacts } from './history.js';
import { makePeople } from './people.js';
import { makePosts } from './posts.js';
import { makeProducts } from './products.js';
import { makeShop } from './shop.js';
import { type DemoTemplate, makeTemplates } from './templates.js';
import { makeTransfers } from './transfers.js';

/** Everything that the demo loads. */
export interface Demo extends DemoFacts {
  readonly follows: FollowGraph;
  readonly settings: readonly DemoSettings[];
  readonly devices: readonly DemoDevice[];
  readonly templates: readonly DemoTemplate[];
  /** Milliseconds since the epoch, from which all times count back. */
  readonly now: number;
}

/** Makes the demo up: the same for the same `now`; for another one only times, and post ids with them, differ. */
export function makeDemo(now: number): Demo {
  const people = makePeople(now);
  const follows = makeFollows(people, now);
  const accounts = makeAccounts(people, now);
  const products = makeProducts(now);
  const customers = makeCustomers(people, now);
  return {
    now,
    people,
    follows,
    posts: makePosts(people, countFollowers(follows), now),
    accounts,
    transfers: makeTransfers(accounts, now),
    products,
    customers,
    shop: makeShop(customers, products, now),
    settings: makeSettings(people),
    devices: makeDevices(now),
    templates: makeTemplates(),
  };
}
