import { FRIENDS } from './people.js';
import { DAY, HOUR } from './rhythm.js';

export type DemoCampaign = ReturnType<typeof makeCampaigns>[number];

/** Whom the others go to: the friends see what a reader of the README sends them, and nothing else. */
const NOT_FRIENDS = `not (userId in (${FRIENDS.map(({ userId }) => `"${userId}"`).join(', ')}))`;
const SHOP = { producer: 'shop', templateId: 'marketing-campaign.push.en', type: 'MARKETING_CAMPAIGN' };

/**
 * Campaigns of the shop: one that was done yesterday, one that goes on for days, a user every few minutes, and one that is paused. What
 * was queued of them is past its retention: they have counts, those of analytics too (`makeCampaignResults`), and no deliveries.
 */
export function makeCampaigns(now: number) {
  const ago = (ms: number): string => new Date(now - ms).toISOString();
  return [
    {
      ...SHOP,
      campaignId: '0199f000-0000-7000-8000-000000000001',
      batchId: 'autumn-sale',
      variables: { campaign_id: 'autumn', headline: 'Autumn sale', offer: 'A third off everything warm.' },
      filter: 'plan in ("pro", "team") and lastSeenDays <= 30',
      ...{ estimatedCount: 3_000, maxPerSecond: 1, windowHours: null, ratePerSecond: 1, rateRaised: false },
      status: 'COMPLETED',
      createdAt: ago(DAY + 2 * HOUR),
      startedAt: ago(DAY + 2 * HOUR),
      completedAt: ago(DAY + HOUR),
      page: { after: 'zz', matched: 2_871, queued: 2_604, suppressed: 267, at: ago(DAY + HOUR) },
    },
    {
      ...SHOP,
      campaignId: '0199f000-0000-7000-8000-000000000002',
      batchId: 'newsletter-invitation',
      variables: {
        campaign_id: 'newsletter',
        headline: 'Our newsletter',
        offer: 'Once a week, in your mailbox.',
      },
      filter: `hasNewsletter = false and plan = "free" and ${NOT_FRIENDS}`,
      ...{
        estimatedCount: null,
        maxPerSecond: null,
        windowHours: 720,
        ratePerSecond: 0.0025,
        rateRaised: false,
      },
      status: 'RUNNING',
      createdAt: ago(3 * HOUR),
      startedAt: ago(3 * HOUR),
      completedAt: null,
      page: { after: 'a', matched: 27, queued: 24, suppressed: 3, at: ago(HOUR / 6) },
    },
    {
      ...SHOP,
      campaignId: '0199f000-0000-7000-8000-000000000003',
      batchId: 'runners',
      variables: { campaign_id: 'runners', headline: 'New shoes', offer: 'For everybody who runs.' },
      filter: `interests contains "running" and ${NOT_FRIENDS}`,
      ...{ estimatedCount: 1_500, maxPerSecond: 5, windowHours: 24, ratePerSecond: 5, rateRaised: false },
      status: 'PAUSED',
      createdAt: ago(5 * HOUR),
      startedAt: ago(5 * HOUR),
      completedAt: null,
      page: { after: 'g', matched: 412, queued: 377, suppressed: 35, at: ago(5 * HOUR - HOUR / 30) },
    },
  ] as const;
}
