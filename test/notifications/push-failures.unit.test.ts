import { describe, expect, it } from 'vitest';
import { apnsFailure, apnsMeanings } from '../../src/domains/notifications/providers/apns/failure.js';
import { fcmFailure, fcmMeanings } from '../../src/domains/notifications/providers/fcm/failure.js';
import { webPushFailure } from '../../src/domains/notifications/providers/web-push/failure.js';
import { answer, deeds, type Expectation, each, NOW, namesOf } from './failure-tables.js';

describe('APNs', () => {
  const expected: readonly Expectation[] = [
    [400, 'rejected', 'BadCollapseId', 'BadExpirationDate', 'BadMessageId', 'BadPriority', 'BadTopic'],
    [400, 'rejected', 'DuplicateHeaders', 'InvalidPushType', 'MissingTopic', 'PayloadEmpty'],
    [400, 'wrongAddress', 'BadDeviceToken', 'MissingDeviceToken'],
    [400, 'wrongForUs', 'DeviceTokenNotForTopic'],
    [400, 'apnsDown', 'IdleTimeout'],
    [400, 'credentials', 'TopicDisallowed'],
    [403, 'credentials', 'BadCertificate', 'BadCertificateEnvironment', 'Forbidden', 'InvalidProviderToken'],
    [403, 'credentials', 'MissingProviderToken', 'UnrelatedKeyIdInToken', 'BadEnvironmentKeyIdInToken'],
    [403, 'credentialsAnew', 'ExpiredProviderToken'],
    [404, 'rejected', 'BadPath'],
    [405, 'rejected', 'MethodNotAllowed'],
    [410, 'gone', 'ExpiredToken', 'Unregistered'],
    [413, 'tooLarge', 'PayloadTooLarge'],
    [429, 'limited', 'TooManyProviderTokenUpdates', 'TooManyRequests'],
    [500, 'apnsDown', 'InternalServerError'],
    [503, 'apnsDown', 'ServiceUnavailable', 'Shutdown', 'SERVICE_DOWN'],
  ];

  it.each(each(expected))('$status $code: $deed', ({ status, code, deed }) => {
    expect(apnsFailure(answer(status, { reason: code }), NOW)).toMatchObject({
      ...deeds[deed],
      status,
      reason: code,
    });
  });

  it('has no reason that is not asked for here', () => {
    expect(Object.keys(apnsMeanings).sort()).toEqual(namesOf(expected));
  });

  it.each([
    [410, 'gone', 'whatever'],
    [429, 'limited', 'whatever'],
    [502, 'apnsDown', '<html>Bad Gateway</html>'],
    [400, 'rejected', 'constructor'],
    [418, 'rejected', 'Teapot'],
  ] as const)('an answer %i that nobody knows is %s', (status, deed, reason) => {
    expect(apnsFailure(answer(status, { reason }), NOW)).toMatchObject(deeds[deed]);
    expect(apnsFailure(answer(status, '<html>'), NOW)).toMatchObject({
      ...deeds[deed],
      reason: `HTTP ${status}`,
    });
  });

  it('limits one device, unless Apple names a time to stay away', () => {
    const body = { reason: 'TooManyRequests' };
    expect(apnsFailure(answer(429, body), NOW).oneAddress).toBe(true);
    const all = apnsFailure(answer(429, body, { 'retry-after': '30' }), NOW);
    expect(all).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 30 });
    expect(all.oneAddress).toBeUndefined();
    expect(
      apnsFailure(answer(429, { reason: 'TooManyProviderTokenUpdates' }), NOW).oneAddress,
    ).toBeUndefined();
  });
});

describe('FCM', () => {
  const FCM_ERROR = 'type.googleapis.com/google.firebase.fcm.v1.FcmError';
  const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';
  const typed = (code: string | number, status = 'SOMETHING_ELSE') => ({
    error: { status, details: [{ '@type': BAD_REQUEST }, { '@type': FCM_ERROR, errorCode: code }] },
  });
  const expected: readonly Expectation[] = [
    [400, 'rejected', 'INVALID_ARGUMENT'],
    [401, 'credentials', 'THIRD_PARTY_AUTH_ERROR'],
    [401, 'credentialsAnew', 'UNAUTHENTICATED'],
    [403, 'wrongForUs', 'SENDER_ID_MISMATCH'],
    [403, 'credentials', 'PERMISSION_DENIED'],
    [404, 'gone', 'UNREGISTERED'],
    [404, 'rejected', 'NOT_FOUND'],
    [409, 'down', 'ABORTED'],
    [429, 'limited', 'QUOTA_EXCEEDED', 'RESOURCE_EXHAUSTED'],
    [500, 'down', 'INTERNAL'],
    [503, 'down', 'UNAVAILABLE'],
    [504, 'down', 'DEADLINE_EXCEEDED'],
  ];

  it.each(each(expected))('$status $code: $deed, wherever the code stands', ({ status, code, deed }) => {
    const meant = { ...deeds[deed], status, reason: code };
    expect(fcmFailure(answer(status, typed(code)), NOW)).toMatchObject(meant);
    expect(fcmFailure(answer(status, { error: { status: code } }), NOW)).toMatchObject(meant);
  });

  it('has no code that is not asked for here', () => {
    expect(Object.keys(fcmMeanings).sort()).toEqual(namesOf(expected));
  });

  it.each([
    [401, 'credentialsAnew'],
    [403, 'credentials'],
    [410, 'gone'],
    [413, 'tooLarge'],
    [429, 'limited'],
    [502, 'down'],
    [400, 'rejected'],
  ] as const)('an answer %i without a code is %s', (status, deed) => {
    expect(fcmFailure(answer(status, '<html>'), NOW)).toMatchObject(deeds[deed]);
    expect(fcmFailure(answer(status, typed('UNSPECIFIED_ERROR')), NOW)).toMatchObject(deeds[deed]);
  });

  it('forgets a token that a violation names, and keeps one that is only suspected', () => {
    const violation = (field: string) => ({
      error: {
        status: 'INVALID_ARGUMENT',
        details: [
          { '@type': FCM_ERROR, errorCode: 'INVALID_ARGUMENT' },
          { '@type': BAD_REQUEST, fieldViolations: [{ field }] },
        ],
      },
    });
    const suspected = { error: { details: [{ '@type': FCM_ERROR, errorCode: 'INVALID_ARGUMENT' }] } };
    expect(fcmFailure(answer(400, violation('message.token')), NOW)).toMatchObject(deeds.wrongAddress);
    expect(fcmFailure(answer(400, violation('message.data[0].value')), NOW)).toMatchObject(deeds.rejected);
    expect(fcmFailure(answer(400, suspected), NOW)).toMatchObject(deeds.wrongForUs);
  });

  it('is left alone as long as it asks, also when it is down', () => {
    const headers = { 'retry-after': '42' };
    expect(fcmFailure(answer(503, typed('UNAVAILABLE'), headers), NOW)).toMatchObject({
      ...deeds.down,
      retryAfter: 42,
    });
  });
});

describe('Web Push services', () => {
  it.each([
    [400, 'rejected', { message: 'Bad TTL' }],
    [400, 'credentials', { reason: 'VapidPkHashMismatch' }],
    [401, 'credentials', { errno: 109, message: 'Unauthorized' }],
    [403, 'credentials', { reason: 'BadJwtToken' }],
    [404, 'gone', ''],
    [410, 'gone', { reason: 'Unregistered' }],
    [413, 'tooLarge', { errno: 104 }],
    [429, 'limited', ''],
    [301, 'rejected', ''],
    [500, 'down', ''],
    [503, 'down', '<html>'],
  ] as const)('%i is %s: %j', (status, deed, body) => {
    expect(webPushFailure(answer(status, body), NOW)).toMatchObject({ ...deeds[deed], status });
  });

  it('limit one subscription, unless they name a time to stay away', () => {
    expect(webPushFailure(answer(429), NOW)).toMatchObject({ oneAddress: true, retryAfter: 5 });
    const all = webPushFailure(answer(429, '', { 'retry-after': '120' }), NOW);
    expect(all).toMatchObject({ oneAddress: false, retryAfter: 120 });
  });
});
