import { importJWK, jwtVerify } from 'jose';
import type { Clock } from '../../../../platform/clock.js';

const DAY_SECONDS = 86_400;

/**
 * Why a push service would refuse an Authorization header (RFC 8292); undefined where it would.
 *
 * @param publicKey whom the subscription was made for
 * @param origin the push service's own
 */
export async function explainVapid(
  authorization: string,
  publicKey: string,
  origin: string,
  clock: Clock,
): Promise<string | undefined> {
  const [, token, key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/i.exec(authorization) ?? [];
  if (!token || !key) return 'no VAPID token and key';
  if (key !== publicKey) return 'the subscription was made for another application server key';
  try {
    const { payload } = await jwtVerify(token, await importJWK(jwkOf(key), 'ES256'), {
      algorithms: ['ES256'],
      audience: origin,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(clock.now()),
    });
    if ((payload.exp ?? 0) - clock.now() / 1000 > DAY_SECONDS) return 'the token lasts over a day';
    return isContact(payload.sub ?? '') ? undefined : 'the subject is nobody to write to';
  } catch (error) {
    return error instanceof Error ? error.message : 'the token is not valid';
  }
}

/** As strict as Apple: an address on this machine is no contact. */
const isContact = (subject: string): boolean =>
  /^(mailto:[^@\s]+@|https:\/\/)[^\s/]+\.[^\s/]+/.test(subject) && !/\.?localhost([:/]|$)/.test(subject);

function jwkOf(key: string) {
  const point = Buffer.from(key, 'base64url');
  return {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
}
