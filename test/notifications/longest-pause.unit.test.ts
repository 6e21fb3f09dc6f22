import { expect, it } from 'vitest';
import { apnsFailure } from '../../src/domains/notifications/providers/apns/failure.js';
import { failed } from '../../src/domains/notifications/providers/failure.js';
import { fcmFailure } from '../../src/domains/notifications/providers/fcm/failure.js';
import { sendGridFailure } from '../../src/domains/notifications/providers/sendgrid/failure.js';
import { twilioFailure } from '../../src/domains/notifications/providers/twilio/failure.js';
import { webPushFailure } from '../../src/domains/notifications/providers/web-push/failure.js';
import { answer, NOW } from './failure-tables.js';

const failureOf = { apnsFailure, fcmFailure, sendGridFailure, twilioFailure, webPushFailure };
const providers = Object.keys(failureOf) as (keyof typeof failureOf)[];
const YEAR_SECONDS = 31_536_000;

it.each(
  providers.flatMap((provider) => [
    { provider, header: String(YEAR_SECONDS) },
    { provider, header: new Date(NOW + YEAR_SECONDS * 1_000).toUTCString() },
    // More digits than a number has: without an end, no date would come of it at all.
    { provider, header: '9'.repeat(400) },
  ]),
)('an hour is the longest pause that a provider gets: $provider, $header', ({ provider, header }) => {
  for (const status of [429, 503]) {
    const { retryAfter } = failureOf[provider](answer(status, '', { 'retry-after': header }), NOW);
    expect(retryAfter).toBe(3_600);
  }
});

it.each([String(NOW / 1_000 + YEAR_SECONDS), '9'.repeat(400)])(
  'an hour is the longest pause of SendGrid, though its window starts anew at %s',
  (reset) => {
    expect(sendGridFailure(answer(429, '', { 'x-ratelimit-reset': reset }), NOW).retryAfter).toBe(3_600);
  },
);

it('a failure names no longer pause, wherever it was made', () => {
  expect(failed('PROVIDER_DOWN', 'away', { retryAfter: Number.POSITIVE_INFINITY }).retryAfter).toBe(3_600);
  expect(failed('PROVIDER_DOWN', 'away', { retryAfter: 7 }).retryAfter).toBe(7);
  expect(failed('PROVIDER_DOWN', 'away')).not.toHaveProperty('retryAfter');
});
