import { z } from 'zod';
import { type Failed, failed, rateLimited, readJson, retryAfterSeconds } from './failure.js';
import type { Answer } from './https-client.js';

const refusal = z.object({
  error: z.object({
    status: z.string().optional(),
    details: z
      .array(
        z.object({
          errorCode: z.string().optional(),
          fieldViolations: z.array(z.object({ field: z.string().optional() })).optional(),
        }),
      )
      .default([]),
  }),
});

/** What an answer other than 200 means: by FCM's `errorCode`, else by the canonical status, else by HTTP. */
export function fcmFailure(answer: Answer, now: number): Failed {
  const { status } = answer;
  const { code, fields } = read(answer);
  switch (code) {
    case 'UNREGISTERED':
      return failed('TOKEN_EXPIRED', code, { status, removeToken: true });
    case 'QUOTA_EXCEEDED':
    case 'RESOURCE_EXHAUSTED':
      return rateLimited(code, status, retryAfterSeconds(answer.headers['retry-after'], now));
    case 'INVALID_ARGUMENT':
      return fields.includes('message.token')
        ? failed('INVALID_ADDRESS', code, { status, removeToken: true })
        : failed('REJECTED', code, { status });
    case 'SENDER_ID_MISMATCH':
      return failed('INVALID_ADDRESS', code, { status });
    case 'UNAUTHENTICATED':
      return failed('CREDENTIALS_REFUSED', code, { status, retryable: true });
    case 'PERMISSION_DENIED':
    case 'THIRD_PARTY_AUTH_ERROR':
      return failed('CREDENTIALS_REFUSED', code, { status });
    default:
      return byStatus(answer, code, now);
  }
}

function byStatus(answer: Answer, reason: string, now: number): Failed {
  const { status } = answer;
  const retryAfter = retryAfterSeconds(answer.headers['retry-after'], now);
  if (status === 429) return rateLimited(reason, status, retryAfter);
  if (status === 410) return failed('TOKEN_EXPIRED', reason, { status, removeToken: true });
  if (status === 401) return failed('CREDENTIALS_REFUSED', reason, { status, retryable: true });
  if (status >= 500) {
    return failed('PROVIDER_DOWN', reason, {
      status,
      retryable: true,
      ...(retryAfter !== undefined && { retryAfter }),
    });
  }
  return failed('REJECTED', reason, { status });
}

function read(answer: Answer): { code: string; fields: string[] } {
  const parsed = refusal.safeParse(readJson(answer.body));
  if (!parsed.success) return { code: `HTTP ${answer.status}`, fields: [] };
  const { status, details } = parsed.data.error;
  const typed = details.find((detail) => detail.errorCode)?.errorCode;
  const fields = details.flatMap((detail) => detail.fieldViolations ?? []).map(({ field }) => field ?? '');
  return { code: typed ?? status ?? `HTTP ${answer.status}`, fields };
}
