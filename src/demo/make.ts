import { makeAccounts } from './accounts.js';
import { makeDevices, makeSettings } from './contacts.js';
import { makeCustomers } from './customers.js';
import { countFollowers, makeFollows } from './follows.js';
import { makePeople } from './people.js';
import { makePosts } from './posts.js';
import { makeProducts } from './products.js';
import { makeReactions } from './reactions.js';
import { makeShop } from './shop.js';
import { makeTemplates } from './templates.js';
import { makeTransfers } from './transfers.js';

/** Everything that the demo loads. */
export type Demo = Readonly<ReturnType<typeof makeDemo>>;

/** Makes the demo up: the same for the same `now`; for another one only times, and post ids with them, differ. */
export function makeDemo(now: number) {
  const people = makePeople(now);
  const follows = makeFollows(people, now);
  const accounts = makeAccounts(people, now);
  const products = makeProducts(now);
  const customers = makeCustomers(people, now);
  const posts = makePosts(people, countFollowers(follows), now);
  return {
    /** Milliseconds since the epoch, from which all times count back. */
    now,
    people,
    follows,
    posts,
    accounts,
    transfers: makeTransfers(accounts, now),
    products,
    customers,
    /** Of orders, and of what they changed. */
    shop: makeShop(customers, products, now),
    settings: makeSettings(people),
    devices: makeDevices(now),
    templates: makeTemplates(),
    /** What is in the friends' inboxes. */
    reactions: makeReactions(people, posts, now),
  };
}
