import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCounts } from '../../src/domains/feed/engagement/counts.js';
import { createWriteBack } from '../../src/domains/feed/engagement/write-back.js';
import { REACTION_KINDS } from '../../src/domains/feed/types.js';
import type { CacheLease } from '../../src/platform/cache/cache-lease.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import type { Queryable } from '../../src/platform/postgres/postgres.js';
import { heldLease } from '../support/held-lease.js';
import { forgetAll } from '../support/redis.js';
import { callerOf, type EngagementWorld, openEngagementWorld } from './engagement-world.js';

const people = ['ann', 'ben', 'cat', 'dan'];
const forever = new AbortController().signal;
const RUNS = Number(process.env.ENGAGEMENT_MODEL_RUNS ?? 40);

let world: EngagementWorld;
let lease: CacheLease;
beforeAll(async () => {
  world = await openEngagementWorld(3);
  lease = heldLease(world.redis);
  await world.users(...people);
});
afterAll(() => world.close());

/** What may happen: to the first or second of two posts, by one of four people. */
const post = fc.nat({ max: 1 });
const person = fc.constantFrom(...people);
const step = fc.oneof(
  fc.record({ do: fc.constant('react' as const), post, person, kind: fc.constantFrom(...REACTION_KINDS) }),
  fc.record({ do: fc.constant('unreact' as const), post, person }),
  fc.record({ do: fc.constant('comment' as const), post, person, answers: fc.option(fc.nat({ max: 9 })) }),
  fc.record({ do: fc.constant('uncomment' as const), person, comment: fc.nat({ max: 9 }) }),
  fc.record({ do: fc.constant('share' as const), post, person }),
  fc.record({ do: fc.constant('unshare' as const), share: fc.nat({ max: 4 }) }),
  fc.record({ do: fc.constant('publish' as const), post }),
  fc.record({ do: fc.constant('writeBack' as const), kill: fc.boolean() }),
  fc.record({ do: fc.constant('flush' as const) }),
  // Reads Postgres now, and writes to Redis only at some later step.
  fc.record({ do: fc.constant('dawdle' as const), post }),
  fc.record({ do: fc.constant('arrive' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** One run's posts, what was done to them, and who is still on his way. */
class Run {
  private readonly comments: { id: string; post: string }[] = [];
  private readonly shares: { id: string; by: string }[] = [];
  private readonly dawdlers: { letGo: () => void; written: Promise<unknown> }[] = [];

  constructor(readonly posts: readonly string[]) {}

  async take(one: Step): Promise<void> {
    const { engagement } = world;
    switch (one.do) {
      case 'react':
        await engagement.reactToPost(callerOf(one.person), this.posts[one.post]!, one.kind);
        break;
      case 'unreact':
        await engagement.removeReaction(callerOf(one.person), this.posts[one.post]!);
        break;
      case 'comment': {
        const postId = this.posts[one.post]!;
        const replyToId = one.answers === null ? null : (this.comments[one.answers]?.id ?? null);
        const input = { postId, content: 'hello', replyToId };
        const added = await engagement.addComment(callerOf(one.person), input);
        if (added.ok) this.comments.push({ id: added.value, post: postId });
        break;
      }
      case 'uncomment': {
        const comment = this.comments[one.comment];
        if (comment) await engagement.deleteComment(callerOf(one.person), comment.id);
        break;
      }
      case 'share':
        await this.share(one.person, this.posts[one.post]!);
        break;
      case 'unshare': {
        const share = this.shares[one.share];
        if (share) await this.append('PostDeleted', 'delete_post', share.id, share.by, { isAdmin: false });
        break;
      }
      case 'publish':
        await engagement.counts.publish([this.posts[one.post]!]);
        break;
      case 'writeBack':
        await (one.kill ? killedWriteBack() : createWriteBack(world, 1).writeBack(forever));
        break;
      case 'flush':
        await forgetAll(world.redis);
        break;
      case 'dawdle':
        await this.dawdle(this.posts[one.post]!);
        break;
      case 'arrive':
        await this.arrive();
        break;
    }
  }

  /** Whoever was on his way arrives now. */
  async arrive(): Promise<void> {
    for (const { letGo, written } of this.dawdlers.splice(0)) {
      letGo();
      await written;
    }
  }

  private async dawdle(postId: string): Promise<void> {
    let letGo: () => void = () => undefined;
    let read: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const hasRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    const postgres: Queryable = {
      async query(statement, values) {
        const answer = await world.postgres.query(statement, values);
        read();
        await gate;
        return answer as never;
      },
    };
    const { redis } = world;
    const counts = createCounts({ postgres, redis, ids: uuidV7Ids(systemClock), lease });
    this.dawdlers.push({ letGo, written: counts.publish([postId]) });
    await hasRead;
  }

  private async share(by: string, sharedPostId: string): Promise<void> {
    const id = randomUUID();
    const own = {
      ...{ content: '', visibility: 'public', labels: [], fingerprint: null, mediaIds: [] },
      ...{ sharedPostId, viaPostId: sharedPostId, authorId: by },
    };
    await this.append('PostPublished', 'publish_post', id, by, own);
    this.shares.push({ id, by });
  }

  /** As publishing and deleting do, with what they do to the counts at once left out: that is lost here. */
  private async append(
    type: string,
    projection: string,
    postId: string,
    userId: string,
    own: object,
  ): Promise<void> {
    const result = await world.log.append({
      appends: [
        { streamId: `Post-${postId}`, expected: 'any', events: [{ type, data: { postId, version: 1 } }] },
      ],
      metadata: { correlationId: 'test', causationId: 'test', userId },
      inlineProjection: { name: projection, args: { postId, userId, ...own } },
    });
    expect(result.kind).toBe('accepted');
    // The projector comes by.
    await world.engagement.counts.publish(await world.engagement.findOriginals([postId]));
  }
}

const killedWriteBack = (): Promise<unknown> =>
  world.postgres
    .transaction(async (tx) => {
      await createWriteBack({ postgres: tx }).writeBack(forever);
      throw new Error('killed');
    })
    .catch(() => undefined);

it('whatever people, writers-back, a slow publisher and a Redis that is emptied do in whichever order: counts equal the rows after every step', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const run = new Run([await world.post('ann'), await world.post('ben')]);
      for (const one of steps) {
        await run.take(one);
        const found = await world.engagement.counts.of(run.posts);
        for (const [index, postId] of run.posts.entries())
          expect(found[index]).toEqual(await world.countRows(postId));
      }
      await run.arrive();
    }),
    { numRuns: RUNS },
  );
}, 120_000);
