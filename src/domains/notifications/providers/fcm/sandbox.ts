import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  defineStandIn,
  header,
  idsOf,
  jsonBody,
  keyPair,
  pem,
  type Reply,
  type SandboxProvider,
  type SandboxWorld,
} from '../stand-in.js';
import { createFcmOauth } from './sandbox-oauth.js';

const MAX_PAYLOAD_BYTES = 4096;
const MESSAGE_TYPE = 'type.googleapis.com/google.firebase.fcm.v1.FcmError';

const seconds = z.string().regex(/^\d+(\.\d{1,9})?s$/);
const send = z.strictObject({
  validate_only: z.boolean().optional(),
  message: z.strictObject({
    token: z.string().min(1),
    notification: z
      .strictObject({
        title: z.string().optional(),
        body: z.string().optional(),
        image: z.string().optional(),
      })
      .optional(),
    data: z.record(z.string(), z.string()).optional(),
    android: z
      .strictObject({
        priority: z.enum(['HIGH', 'NORMAL']).optional(),
        ttl: seconds.optional(),
        collapse_key: z.string().optional(),
        notification: z
          .strictObject({
            channel_id: z.string().optional(),
            click_action: z.string().optional(),
            color: z
              .string()
              .regex(/^#[0-9a-f]{6}$/i)
              .optional(),
            sound: z.string().optional(),
            tag: z.string().optional(),
          })
          .optional(),
      })
      .optional(),
    apns: z
      .strictObject({
        headers: z.record(z.string(), z.string()).optional(),
        payload: z.looseObject({ aps: z.looseObject({}).optional() }).optional(),
      })
      .optional(),
    webpush: z
      .strictObject({
        headers: z.record(z.string(), z.string()).optional(),
        notification: z.looseObject({}).optional(),
        fcm_options: z.strictObject({ link: z.url({ protocol: /^https$/ }).optional() }).optional(),
      })
      .optional(),
  }),
});

const codes: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'SENDER_ID_MISMATCH',
  404: 'UNREGISTERED',
  410: 'UNREGISTERED',
  429: 'QUOTA_EXCEEDED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};
/** Google's canonical status of those codes that are FCM's own. */
const canonical: Readonly<Record<string, string>> = {
  UNREGISTERED: 'NOT_FOUND',
  SENDER_ID_MISMATCH: 'PERMISSION_DENIED',
  QUOTA_EXCEEDED: 'RESOURCE_EXHAUSTED',
  THIRD_PARTY_AUTH_ERROR: 'UNAUTHENTICATED',
};

const credentials = keyPair.extend({ projectId: z.string(), clientEmail: z.string() });
type Credentials = z.infer<typeof credentials>;

export const fcmStandIn = defineStandIn({
  credentials,
  makeCredentials: () => ({
    ...pem(generateKeyPairSync('rsa', { modulusLength: 2048 })),
    projectId: 'tidings-sandbox',
    clientEmail: 'sender@tidings-sandbox.iam.gserviceaccount.com',
  }),
  settings: ({ publicKey: _, ...own }, url) => ({ url, ...own, tokenUrl: `${url}/token` }),
  open: openFcm,
});

/** Firebase Cloud Messaging, HTTP v1, with the token endpoint that its clients log in at. */
function openFcm(credentials: Credentials, { url, clock }: SandboxWorld): SandboxProvider {
  const oauth = createFcmOauth(credentials, () => `${url()}/token`, clock);
  const sendPath = `/v1/projects/${credentials.projectId}/messages:send`;

  return {
    serves: (path) => path === '/token' || path.startsWith('/v1/projects/'),
    async judge(request) {
      if (request.path === '/token') return oauth.exchange(request);
      if (request.path !== sendPath) return googleError(404, 'NOT_FOUND', 'No such project.');
      if (request.method !== 'POST') return googleError(405, 'INVALID_ARGUMENT', 'Only POST is served.');
      const token = /^Bearer (\S+)$/.exec(header(request, 'authorization') ?? '')?.[1];
      if (!token || !oauth.isValid(token)) {
        return googleError(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
      }
      const parsed = send.safeParse(jsonBody(request));
      if (!parsed.success) return invalid(parsed.error);
      const { message } = parsed.data;
      const payload = JSON.stringify({ notification: message.notification, data: message.data });
      if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) {
        return googleError(400, 'INVALID_ARGUMENT', 'Android message is too big.');
      }
      const name = `projects/${credentials.projectId}/messages/${randomUUID()}`;
      return {
        message: { to: message.token, providerId: name, ...idsOf(message.data), body: parsed.data },
        reply: { status: 200, body: { name } },
      };
    },
    refusal: (status, reason) => fcmError(status, reason ?? codes[status] ?? 'UNSPECIFIED_ERROR'),
  };
}

/** An error that FCM itself names, beside Google's canonical status. */
function fcmError(status: number, errorCode: string): Reply {
  const details = [{ '@type': MESSAGE_TYPE, errorCode }];
  return googleError(status, canonical[errorCode] ?? errorCode, `FCM refused: ${errorCode}`, details);
}

function invalid(error: z.ZodError): Reply {
  const fieldViolations = error.issues.map(({ path, message }) => ({
    field: path.join('.'),
    description: message,
  }));
  return googleError(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.', [
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations },
  ]);
}

function googleError(status: number, name: string, message: string, details?: readonly object[]): Reply {
  return { status, body: { error: { code: status, message, status: name, ...(details && { details }) } } };
}
