import { makeAccounts } from './accounts.js';
import { makeAlerts } from './alerts.js';
import { ATTRIBUTE_TYPES, makeAttributes } from './attributes.js';
import { makeCampaignResults } from './campaign-results.js';
import { makeCampaigns } from './campaigns.js';
import { makeDevices, makeSettings } from './contacts.js';
import { makeCustomers } from './customers.js';
import { makeDeadLetters } from './dead-letters.js';
import { makeDigested } from './digests.js';
import { countFollowers, makeFollows } from './follows.js';
import { makePeople } from './people.js';
import { makePosts } from './posts.js';
import { makeProducts } from './products.js';
import { makeReactions } from './reactions.js';
import { makeSchedules } from './schedules.js';
import { makeShop } from './shop.js';
import { makeSuppressions } from './suppressions.js';
import { makeTemplates } from './templates.js';
import { makeTransfers } from './transfers.js';
import { makeWebhookDeliveries, makeWebhooks } from './webhooks.js';

/** Everything that the demo loads. */
export type Demo = Readonly<ReturnType<typeof makeDemo>>;

/** Makes the demo up: the same for the same `now`; for another one only times, and post ids with them, differ. */
export function makeDemo(now: number) {
  const people = makePeople(now);
  const follows = makeFollows(people, now);
  const accounts = makeAccounts(people, now);
  const products = makeProducts(now);
  const customers = makeCustomers(people, now);
  const settings = makeSettings(people);
  const templates = makeTemplates();
  const webhooks = makeWebhooks(now);
  const campaigns = makeCampaigns(now);
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
    settings,
    suppressions: makeSuppressions(settings, now),
    devices: makeDevices(now),
    attributeTypes: ATTRIBUTE_TYPES,
    attributes: makeAttributes(people, now),
    templates,
    campaigns,
    campaignResults: makeCampaignResults(campaigns, now),
    webhooks,
    webhookDeliveries: makeWebhookDeliveries(now),
    /** Requests whose mails wait for a digest. */
    digested: makeDigested(settings, templates, now),
    /** Mails that were given up. */
    deadLetters: makeDeadLetters(settings, templates, now),
    alerts: makeAlerts(webhooks[0]!, now),
    schedules: makeSchedules(settings, now),
    /** What the friends' inboxes show. */
    reactions: makeReactions(people, posts, now),
  };
}
