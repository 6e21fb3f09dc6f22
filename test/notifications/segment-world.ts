import {
  audiencePage,
  checkFilter,
  createSegments,
  type Segment,
} from '../../src/domains/notifications/segments/index.js';
import { openPostgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase } from '../support/database.js';
import { shop } from './notification-world.js';
import { type MadeUser, NOW } from './segment-filters.js';

export const clock = { now: () => NOW };
export const later = new Date(NOW + 7 * 86_400_000);

/** A database whose users a test makes, and what producers ask of them. */
export async function openSegmentWorld() {
  const database = await createTestDatabase();
  // As the product's processes do: no plan reads a whole table.
  const postgres = openPostgres(database.url, {
    max: 10,
    applicationName: 'test',
    onError: () => undefined,
    byIndex: true,
  });
  const segments = createSegments({ postgres, clock });

  /** Makes them everybody there is. */
  async function store(made: readonly MadeUser[]): Promise<void> {
    await postgres.query(
      'TRUNCATE users, follows, posts, follow_counts, user_notification_settings, user_devices, user_attributes',
    );
    const column = <T>(of: (user: MadeUser) => T) => made.map(of);
    await postgres.query(
      `INSERT INTO users (user_id, display_name, created_at, last_seen_at, follower_count)
       SELECT id, id, created, seen, followers FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::int[])
         AS given (id, created, seen, followers)`,
      [
        column(({ userId }) => userId),
        column(({ createdAt }) => new Date(createdAt)),
        column(({ lastSeenAt }) => lastSeenAt && new Date(lastSeenAt)),
        // What it was before: the count of now stands apart.
        column(() => 7),
      ],
    );
    for (const [index, { userId, followerCount, settings, devices }] of made.entries()) {
      await postgres.query('INSERT INTO follow_counts SELECT id, 1, $2, 0 FROM users WHERE user_id = $1', [
        userId,
        followerCount,
      ]);
      if (settings) {
        await postgres.query(
          'INSERT INTO user_notification_settings (user_id, language, timezone) VALUES ($1, $2, $3)',
          [userId, settings.language, settings.timezone],
        );
      }
      for (const { platform, isActive } of devices) {
        await postgres.query(
          'INSERT INTO user_devices (user_id, device_id, platform, device_token, is_active) VALUES ($1, $2, $2, $3, $4)',
          [userId, platform, `token-${index}-${platform}`, isActive],
        );
      }
    }
    const result = await segments.setAttributes(
      shop,
      made.map(({ userId, attributes }) => ({ userId, attributes })),
    );
    if (result.ok !== made.length > 0) throw new Error(JSON.stringify(result));
  }

  async function segmentOf(filter: string): Promise<Segment> {
    const result = await checkFilter({ postgres, clock }, filter, ['filter']);
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    return result.value;
  }

  async function audienceOf(segment: Segment, limit: number, createdBefore = later): Promise<string[]> {
    const found: string[] = [];
    let after: string | null = null;
    do {
      const page = await audiencePage(postgres, segment, { after, limit, createdBefore });
      found.push(...page.userIds);
      after = page.next;
    } while (after !== null);
    return found;
  }

  return {
    ...{ postgres, segments, store, segmentOf, audienceOf },
    async close() {
      await postgres.close();
      await database.drop();
    },
  };
}

export type SegmentWorld = Awaited<ReturnType<typeof openSegmentWorld>>;

/** Somebody of whom nothing but this is known. */
export const madeUser = (userId: string, attributes: Record<string, unknown>, createdAt = NOW): MadeUser => ({
  userId,
  createdAt,
  lastSeenAt: null,
  followerCount: 0,
  settings: null,
  devices: [],
  attributes,
});
