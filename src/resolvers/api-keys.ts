import { Arg, Args, Authorized, Ctx, Directive, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { findShownApiKey, pageApiKeys } from '../platform/auth/api-key-pages.js';
import { createApiKey, revokeApiKey } from '../platform/auth/api-keys.js';
import { callerOf, isAdmin } from '../platform/auth/caller.js';
import { ok, refused } from '../platform/errors.js';
import { readPaging } from '../platform/paging.js';
import {
  ApiKeyConnection,
  CreateApiKeyInput,
  CreateApiKeyPayload,
  RevokeApiKeyInput,
  RevokeApiKeyPayload,
} from '../schema/api-keys.js';
import { PagingArgs } from '../schema/relay.js';
import { toPayload } from './payload.js';

@Resolver()
export class ApiKeysResolver {
  @Authorized('admin')
  @Query(() => ApiKeyConnection, { description: 'Admin: API keys, revoked ones too, newest first.' })
  apiKeys(
    @Args(() => PagingArgs) paging: PagingArgs,
    @Arg('userId', () => ID, {
      nullable: true,
      description: 'Only those that act for this user, by raw id or global id. Absent: all of them.',
    })
    userId: string | null,
    @Ctx() { app }: RequestContext,
  ) {
    return pageApiKeys(app.postgres, readPaging(paging), userId ?? null);
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 60, duration: 60)')
  @Mutation(() => CreateApiKeyPayload, {
    description: 'Admin: makes an API key. It holds until it is revoked.',
  })
  async createApiKey(
    @Arg('input') { name, ...owner }: CreateApiKeyInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateApiKeyPayload> {
    const { postgres, clock } = context.app;
    const notes = { name: name ?? null, createdBy: callerOf(context).viewer.userId };
    const created = await createApiKey(postgres, owner, clock, notes);
    if (!created.ok) return { apiKey: null, key: null, userErrors: created.errors };
    const { apiKeyId, text } = created.value;
    return { apiKey: await findShownApiKey(postgres, apiKeyId), key: text, userErrors: [] };
  }

  @Authorized('admin')
  @Directive('@rateLimit(limit: 120, duration: 60)')
  @Mutation(() => RevokeApiKeyPayload, {
    description:
      'Admin: revokes an API key for good. Requests with it are refused within a minute, and sockets that it opened closed within two. Revoking it again changes nothing.',
  })
  async revokeApiKey(@Arg('input') { apiKeyId }: RevokeApiKeyInput, @Ctx() context: RequestContext) {
    const { postgres, clock } = context.app;
    const { userId } = callerOf(context).viewer;
    const isThere = (await findShownApiKey(postgres, apiKeyId)) !== null;
    if (isThere) await revokeApiKey(postgres, apiKeyId, clock, userId);
    const revoked = isThere ? await findShownApiKey(postgres, apiKeyId) : null;
    const missing = refused('NOT_FOUND', 'There is no such API key', ['input', 'apiKeyId']);
    return toPayload('apiKey', revoked ? ok(revoked) : missing);
  }
}

export const apiKeyResolvers = [ApiKeysResolver] as const;

/** Loads API keys for `node`: for admins. */
export const apiKeyNodes = {
  ApiKey: async (apiKeyId: string, context: RequestContext) =>
    isAdmin(callerOf(context)) ? findShownApiKey(context.app.postgres, apiKeyId) : null,
};
