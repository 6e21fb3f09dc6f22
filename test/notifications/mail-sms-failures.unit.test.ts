import { describe, expect, it } from 'vitest';
import type { AddressFault } from '../../src/domains/notifications/providers/provider.js';
import {
  sendGridFailure,
  sendGridMeanings,
} from '../../src/domains/notifications/providers/sendgrid/failure.js';
import { smtpFailure, smtpMeanings } from '../../src/domains/notifications/providers/smtp/failure.js';
import { twilioFailure, twilioMeanings } from '../../src/domains/notifications/providers/twilio/failure.js';
import { answer, deeds, type Expectation, each, NOW, namesOf } from './failure-tables.js';

describe('SendGrid', () => {
  const expected: readonly Expectation[] = [
    [400, 'rejected', 400],
    [401, 'credentials', 401],
    [403, 'credentials', 403],
    [404, 'rejected', 404],
    [405, 'rejected', 405],
    [413, 'tooLarge', 413],
    [415, 'rejected', 415],
    [429, 'limited', 429],
    [500, 'down', 500],
    [503, 'down', 503],
  ];

  it.each(each(expected))('$status: $deed', ({ status, deed }) => {
    const body = { errors: [{ message: 'no', field: null, help: null }] };
    expect(sendGridFailure(answer(status, body), NOW)).toMatchObject({ ...deeds[deed], reason: 'no' });
  });

  it('has surely not taken the mail after these', () => {
    const statuses = [400, 401, 403, 413, 429, 500, 502, 503, 504];
    const notTakenAfter = (body: unknown) =>
      statuses.filter((status) => sendGridFailure(answer(status, body), NOW).notTaken);
    expect(notTakenAfter({ errors: [{ message: 'no' }] })).toEqual([401, 403, 429, 503]);
    // A gateway's 503 may come after it has handed the mail on.
    for (const body of ['', '<html>', { error: 'upstream reset' }])
      expect(notTakenAfter(body)).toEqual([401, 403, 429]);
  });

  it('has no status that is not asked for here', () => {
    expect(Object.keys(sendGridMeanings).sort()).toEqual(namesOf(expected));
  });

  it.each([
    ['personalizations.0.to.0.email', 'wrongAddress'],
    ['personalizations.0.to', 'wrongAddress'],
    ['personalizations.0.tomorrow', 'rejected'],
    ['personalizations.0.subject', 'rejected'],
    ['from.email', 'rejected'],
    ['template_id', 'rejected'],
  ] as const)('400 for the field %s: %s', (field, deed) => {
    const errors = [
      { message: 'first', field: null },
      { message: 'no', field },
    ];
    expect(sendGridFailure(answer(400, { errors }), NOW)).toMatchObject(deeds[deed]);
  });

  it('is asked again when its window starts anew', () => {
    const headers = { 'x-ratelimit-reset': String(NOW / 1000 + 33) };
    expect(sendGridFailure(answer(429, '', headers), NOW)).toMatchObject({ retryAfter: 33 });
    expect(sendGridFailure(answer(502, '<html>'), NOW)).toMatchObject(deeds.down);
  });
});

describe('Twilio', () => {
  const expected: readonly Expectation[] = [
    [400, 'wrongAddress', 21211, 21217, 21265, 21604, 21614, 21635, 30005, 30006],
    [400, 'rejected', 20404, 21212, 21266, 21408, 21602, 21603, 21606, 21608, 21609, 21610, 21612, 21659],
    [400, 'rejected', 30004, 30007, 30010, 30034],
    [400, 'rejectedForNow', 30003, 30008, 30009],
    [400, 'tooLarge', 21617],
    [401, 'credentials', 10001, 20003, 20005, 21660, 30002],
    [429, 'limited', 20429, 21611, 30001, 63038],
    [503, 'down', 20500, 20503],
  ];

  it.each(each(expected))('$code: $deed', ({ status, code, deed }) => {
    const body = { code, message: 'no', status };
    expect(twilioFailure(answer(status, body), NOW)).toMatchObject({
      ...deeds[deed],
      reason: `${code}: no`,
    });
  });

  it('says of an address that it is dead, that it did not take one message, or that its owner wrote STOP', () => {
    const by = Map.groupBy(Object.entries(twilioMeanings), ([, { addressFault }]) => addressFault);
    const codesOf = (fault: AddressFault) => by.get(fault)?.map(([code]) => Number(code));
    expect(codesOf('HARD_BOUNCE')).toEqual([21211, 21217, 21265, 21614, 21635, 30005, 30006]);
    expect(codesOf('SOFT_BOUNCE')).toEqual([30003]);
    expect(codesOf('STOP')).toEqual([21610]);
  });

  it('has surely not taken the message after these', () => {
    const statuses = [400, 401, 403, 429, 500, 502, 503, 504];
    expect(statuses.filter((status) => twilioFailure(answer(status, '<html>'), NOW).notTaken)).toEqual([
      401, 403, 429,
    ]);
    const codes = Object.keys(twilioMeanings).map(Number);
    const notTaken = codes.filter(
      (code) => twilioFailure(answer(503, { code, message: 'no' }), NOW).notTaken,
    );
    expect(notTaken).toEqual([10001, 20003, 20005, 20429, 20503, 21611, 21660, 30001, 30002, 63038]);
  });

  it('has no number that is not asked for here', () => {
    expect(Object.keys(twilioMeanings).sort()).toEqual(namesOf(expected));
  });

  it.each([
    [401, 'credentials'],
    [403, 'credentials'],
    [429, 'limited'],
    [502, 'down'],
    [400, 'rejected'],
  ] as const)('an answer %i with a number that nobody knows is %s', (status, deed) => {
    expect(twilioFailure(answer(status, { code: 99_999, message: 'new' }), NOW)).toMatchObject(deeds[deed]);
    expect(twilioFailure(answer(status, '<html>'), NOW)).toMatchObject(deeds[deed]);
  });
});

describe('SMTP', () => {
  const reply = (response: string, command = 'RCPT TO') =>
    Object.assign(new Error(`refused: ${response}`), {
      code: 'EENVELOPE',
      response,
      responseCode: Number(response.slice(0, 3)),
      command,
    });
  const expected: readonly Expectation[] = [
    [421, 'down', 421],
    [450, 'rejectedForNow', 450, 452],
    [454, 'down', 454],
    [503, 'down', 503],
    [530, 'credentials', 530, 534, 535, 538],
    [550, 'wrongAddress', 550, 551, 553],
    [552, 'rejected', 552, 554],
  ];

  it.each(each(expected))('$code: $deed', ({ code, deed }) => {
    expect(smtpFailure(reply(`${code} no`), true)).toMatchObject({
      ...deeds[deed],
      status: code,
      reason: `${code} no`,
      outcomeUnknown: false,
    });
  });

  it.each([
    ['550 no such user', 'RCPT TO', 'HARD_BOUNCE'],
    ['550 5.1.1 no such user', 'DATA', 'HARD_BOUNCE'],
    ['550 5.7.1 blocked', 'RCPT TO', undefined],
    ['550 no', 'MAIL FROM', undefined],
    ['450 busy', 'RCPT TO', 'SOFT_BOUNCE'],
    ['450 4.7.1 greylisted', 'RCPT TO', undefined],
    ['452 too little space', 'MAIL FROM', undefined],
    ['452 4.2.2 over quota', 'DATA', 'SOFT_BOUNCE'],
    ['552 over quota', 'RCPT TO', 'SOFT_BOUNCE'],
    ['552 5.3.4 too large', 'RCPT TO', undefined],
    ['554 no', 'RCPT TO', undefined],
  ] as const)('%s to %s says of the address: %s', (response, command, fault) => {
    expect(smtpFailure(reply(response, command), true).addressFault).toBe(fault);
  });

  it('has surely not taken the mail where it closes, or where nothing of it was sent', () => {
    expect(smtpFailure(reply('421 closing', 'DATA'), true).notTaken).toBe(true);
    expect(smtpFailure(reply('535 no', 'AUTH'), false).notTaken).toBe(true);
    expect(smtpFailure(reply('451 later', 'DATA'), true).notTaken).toBeUndefined();
    const lost = Object.assign(new Error('ECONNRESET'), { code: 'ESOCKET' });
    expect([false, true].map((begun) => smtpFailure(lost, begun).notTaken)).toEqual([true, undefined]);
  });

  it('has no reply that is not asked for here', () => {
    expect(Object.keys(smtpMeanings).sort()).toEqual(namesOf(expected));
  });

  it.each([
    ['450 4.2.0 greylisted', 'RCPT TO', 'rejectedForNow'],
    ['451 local error', 'DATA', 'rejectedForNow'],
    ['452 4.3.1 disk full', 'MAIL FROM', 'rejectedForNow'],
    ['555 what', 'MAIL FROM', 'rejected'],
    ['550 5.1.1 no such user', 'DATA', 'wrongAddress'],
    ['550 5.7.1 looks like spam', 'DATA', 'rejected'],
    ['550 5.7.1 we do not relay', 'RCPT TO', 'rejected'],
    ['550 no', 'MAIL FROM', 'rejected'],
    ['552 5.3.4 too big', 'MAIL FROM', 'tooLarge'],
    ['554 5.2.1 mailbox disabled', 'RCPT TO', 'wrongAddress'],
    ['550-5.1.1 no\n550 5.1.1 such user', 'RCPT TO', 'wrongAddress'],
  ] as const)('%s to %s: %s', (response, command, deed) => {
    expect(smtpFailure(reply(response, command), true)).toMatchObject(deeds[deed]);
  });

  it.each([
    ['EAUTH', '535 wrong', 'credentials'],
    ['EAUTH', '500 what', 'credentials'],
    ['EAUTH', '454 not now', 'down'],
    ['ETLS', '502 no STARTTLS here', 'down'],
  ] as const)('%s with the reply %s: %s', (code, response, deed) => {
    expect(smtpFailure(Object.assign(reply(response), { code }), false)).toMatchObject(deeds[deed]);
  });

  it.each([
    ['ECONNECTION', true, { ...deeds.down, outcomeUnknown: true }],
    ['ECONNECTION', false, { ...deeds.down, outcomeUnknown: false }],
    ['ETIMEDOUT', false, { ...deeds.down, outcomeUnknown: false }],
    ['EDNS', false, deeds.down],
    ['ETLS', false, deeds.down],
    ['EABORT', true, { code: 'PROVIDER_TIMEOUT', retryable: true, outcomeUnknown: true }],
    ['EABORT', false, { code: 'PROVIDER_TIMEOUT', retryable: true, outcomeUnknown: false }],
    ['EAUTH', false, deeds.credentials],
    ['EENVELOPE', false, deeds.wrongAddress],
  ] as const)('%s, the mail begun: %s', (code, begun, expectation) => {
    const failure = smtpFailure(Object.assign(new Error('no'), { code }), begun);
    expect(failure).toMatchObject(expectation);
    expect(failure.status).toBeUndefined();
  });
});
