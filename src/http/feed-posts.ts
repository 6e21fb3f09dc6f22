import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App } from '../context.js';
import { MAX_MEDIA } from '../domains/feed/index.js';
import type { OpenRequest } from '../edge/index.js';
import { callerOf } from '../platform/auth/caller.js';
import { PublicError } from '../platform/errors.js';
import { listUpTo } from './list-up-to.js';
import { malformed } from './malformed.js';
import { sendRefusal } from './refusals.js';
import { idempotencyKey, type RestDocument } from './rest-document.js';

interface Deps {
  readonly app: { readonly feed: Pick<App['feed'], 'publishPost'> };
  readonly openRequest: OpenRequest;
}

/** The feed document's body. Members that it does not have are refused, not overlooked. */
const body = z.strictObject({
  user_id: z.string().describe("The caller's own."),
  content: z.string(),
  media_ids: listUpTo(MAX_MEDIA, z.array(z.string())).nullish(),
  visibility: z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(['public', 'followers', 'private']))
    .nullish()
    .describe('`public`, `followers` or `private`, in any case. Absent: `public`.'),
});

const rest: RestDocument = {
  operationId: 'publishPost',
  tag: 'Feed',
  summary: 'Publishes a post.',
  headers: idempotencyKey('The same key with the same body within 24 hours answers the same post.'),
  body: { description: 'The post.', schema: body },
  answers: { 201: { description: 'It is published.', schema: z.object({ post_id: z.string() }) } },
  refusals: [403, 404, 409, 422],
};

/**
 * The REST face of posts: POST /api/v1/posts, 201 `{ post_id }`. `Idempotency-Key` makes a repeat within 24 h answer the
 * same post. Refusals are `{"error":{"code","message","path"}}`.
 */
export function registerPostRoutes(app: FastifyInstance, deps: Deps): void {
  app.post('/api/v1/posts', { config: { rest } }, async (request, reply) => {
    const caller = callerOf(await deps.openRequest(request, reply));
    const parsed = body.safeParse(request.body);
    if (!parsed.success) return sendRefusal(reply, malformed(parsed.error));
    const { user_id, content, media_ids, visibility } = parsed.data;
    if (user_id !== caller.viewer.userId) {
      throw new PublicError('FORBIDDEN', 'A post is published by its author', ['user_id']);
    }
    const result = await deps.app.feed.publishPost(caller, {
      content,
      mediaIds: media_ids ?? [],
      visibility: visibility ?? 'public',
      idempotencyKey: keyOf(request),
    });
    if (!result.ok) return sendRefusal(reply, result.errors[0]!, { isSnakeCase: true });
    return reply.code(201).send({ post_id: result.value.postId });
  });
}

function keyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key'];
  return key === undefined ? null : String(key);
}
