import { generateKeyPairSync, randomInt, randomUUID } from 'node:crypto';
import { decodeProtectedHeader, importSPKI, jwtVerify } from 'jose';
import { z } from 'zod';
import type { Clock } from '../../../../platform/clock.js';
import {
  defineStandIn,
  header,
  idsOf,
  jsonBody,
  keyPair,
  pem,
  type Reply,
  type SandboxProvider,
  type SandboxRequest,
} from '../stand-in.js';

const TOKEN_LIFETIME_SECONDS = 3600;
const MAX_PAYLOAD_BYTES = { alert: 4096, voip: 5120 } as const;
const DEVICE_PATH = /^\/3\/device\/([^/]+)$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const payload = z.looseObject({
  aps: z.looseObject({
    alert: z.union([
      z.string(),
      z.looseObject({
        title: z.string().optional(),
        subtitle: z.string().optional(),
        body: z.string().optional(),
      }),
    ]),
    badge: z.number().int().min(0).optional(),
    sound: z.string().optional(),
    'mutable-content': z.literal(1).optional(),
    'content-available': z.literal(1).optional(),
  }),
  data: z
    .looseObject({ deliveryId: z.string().optional(), notificationId: z.string().optional() })
    .optional(),
});

const statuses: Readonly<Record<number, string>> = {
  400: 'BadDeviceToken',
  403: 'InvalidProviderToken',
  410: 'Unregistered',
  413: 'PayloadTooLarge',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

const credentials = keyPair.extend({ teamId: z.string(), keyId: z.string(), topic: z.string() });
type Credentials = z.infer<typeof credentials>;

export const apnsStandIn = defineStandIn({
  credentials,
  makeCredentials: () => ({
    ...pem(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
    teamId: capitals(10),
    keyId: capitals(10),
    topic: 'dev.tidings.sandbox',
  }),
  settings: ({ publicKey: _, ...own }, url) => ({ url, ...own }),
  open: (own, { clock }) => openApns(own, clock),
});

/** As Apple's team and key ids look. */
function capitals(length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}

/** Apple's push service. A device token is opaque to providers, so any non-empty one is taken. */
function openApns(credentials: Credentials, clock: Clock): SandboxProvider {
  const refuseToken = tokenChecker(credentials, clock);

  return {
    serves: (path) => path.startsWith('/3/'),
    async judge(request) {
      const device = DEVICE_PATH.exec(request.path)?.[1];
      if (!request.http2) return refusal(505, 'HTTP2Required');
      if (!device) return refusal(404, 'BadPath');
      if (request.method !== 'POST') return refusal(405, 'MethodNotAllowed');
      const wrong = (await refuseToken(request)) ?? checkHeaders(request, credentials.topic, clock);
      if (wrong) return wrong;
      if (request.body.length === 0) return refusal(400, 'PayloadEmpty');
      const pushType = header(request, 'apns-push-type') === 'voip' ? 'voip' : 'alert';
      if (request.body.length > MAX_PAYLOAD_BYTES[pushType]) return refusal(413, 'PayloadTooLarge');
      const parsed = payload.safeParse(jsonBody(request));
      if (!parsed.success) return refusal(400, 'BadPayload');
      const id = header(request, 'apns-id') ?? randomUUID().toUpperCase();
      return {
        message: {
          to: decodeURIComponent(device),
          providerId: id,
          ...idsOf(parsed.data.data),
          body: parsed.data,
        },
        reply: { status: 200, headers: { 'apns-id': id } },
      };
    },
    refusal: (status, reason, deadSince) =>
      refusal(status, reason ?? statuses[status] ?? 'BadRequest', deadSince),
  };
}

function refusal(status: number, reason: string, timestamp?: number): Reply {
  return { status, body: timestamp === undefined ? { reason } : { reason, timestamp } };
}

function checkHeaders(request: SandboxRequest, topic: string, clock: Clock): Reply | undefined {
  const given = (name: string) => header(request, name);
  if (!given('apns-topic')) return refusal(400, 'MissingTopic');
  const pushType = given('apns-push-type') ?? '';
  if (!['alert', 'voip'].includes(pushType)) return refusal(400, 'InvalidPushType');
  if (given('apns-topic') !== (pushType === 'voip' ? `${topic}.voip` : topic)) {
    return refusal(400, 'DeviceTokenNotForTopic');
  }
  if (!['10', '5', '1', undefined].includes(given('apns-priority'))) return refusal(400, 'BadPriority');
  const expiration = given('apns-expiration');
  if (expiration !== undefined && !/^\d{1,10}$/.test(expiration)) return refusal(400, 'BadExpirationDate');
  if (expiration && expiration !== '0' && Number(expiration) * 1000 < clock.now() - 86_400_000) {
    return refusal(400, 'BadExpirationDate');
  }
  if (Buffer.byteLength(given('apns-collapse-id') ?? '') > 64) return refusal(400, 'BadCollapseId');
  if (!UUID.test(given('apns-id') ?? randomUUID())) return refusal(400, 'BadMessageId');
  return undefined;
}

/** Checks signature, key, team and age; a token that was checked once is only asked for its age again. */
function tokenChecker(credentials: Credentials, clock: Clock) {
  const key = importSPKI(credentials.publicKey, 'ES256');
  const checked = new Map<string, number>();

  async function issuedAt(token: string): Promise<number> {
    const known = checked.get(token);
    if (known !== undefined) return known;
    if (decodeProtectedHeader(token).kid !== credentials.keyId) throw new Error('another key id');
    const { payload: claims } = await jwtVerify(token, await key, {
      algorithms: ['ES256'],
      issuer: credentials.teamId,
      requiredClaims: ['iat'],
      currentDate: new Date(clock.now()),
    });
    if (checked.size >= 100) checked.clear();
    checked.set(token, claims.iat ?? 0);
    return claims.iat ?? 0;
  }

  return async (request: SandboxRequest): Promise<Reply | undefined> => {
    const token = /^bearer (\S+)$/i.exec(header(request, 'authorization') ?? '')?.[1];
    if (!token) return refusal(403, 'MissingProviderToken');
    try {
      const age = clock.now() / 1000 - (await issuedAt(token));
      return age > TOKEN_LIFETIME_SECONDS ? refusal(403, 'ExpiredProviderToken') : undefined;
    } catch {
      return refusal(403, 'InvalidProviderToken');
    }
  };
}
