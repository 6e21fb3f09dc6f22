import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readSendGridCallback } from '../../src/domains/notifications/providers/sendgrid/callback.js';
import { readTwilioCallback } from '../../src/domains/notifications/providers/twilio/callback.js';
import type { Clock } from '../../src/platform/clock.js';

const refusedWith = (code: string) => ({ ok: false, errors: [expect.objectContaining({ code })] });

describe('Twilio status callbacks', () => {
  const authToken = '12345';
  // Signatures computed with OpenSSL over the URL and the sorted form.
  const url = 'https://api.example.com/api/v1/callbacks/twilio?deliveryId=d-1';
  const delivered = {
    body: 'To=%2B15551234567&MessageStatus=delivered&MessageSid=SM1',
    signature: '4a7/VOOPhAaCWXyB/8L+ZugOF5w=',
  };
  const failed = {
    body: 'MessageSid=SM1&MessageStatus=undelivered&ErrorCode=30003',
    signature: '66ZjPAmC593fOq7I4wQJHNTxyjc=',
  };
  const read = (body: string, signature: string | undefined, at = url, token = authToken) =>
    readTwilioCallback(
      { url: at, body: Buffer.from(body), headers: { 'x-twilio-signature': signature } },
      { authToken: token },
    );

  it('are trusted with the right signature', () => {
    expect(read(delivered.body, delivered.signature)).toEqual({
      ok: true,
      value: [{ deliveryId: 'd-1', kind: 'delivered', providerId: 'SM1' }],
    });
    expect(read(failed.body, failed.signature)).toEqual({
      ok: true,
      value: [
        {
          deliveryId: 'd-1',
          kind: 'failed',
          providerId: 'SM1',
          reason: 'undelivered: 30003',
          addressFault: 'SOFT_BOUNCE',
        },
      ],
    });
  });

  it('are signed as in the example of Twilio’s own documentation', () => {
    const body =
      'CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212';
    const at = 'https://mycompany.com/myapp.php?foo=1&bar=2';
    // Not a message, so it is refused, but only after its signature was found right.
    expect(read(body, 'RSOYDt4T1cUTdK1PDd93/VVr8B8=', at)).toEqual(refusedWith('CALLBACK_MALFORMED'));
  });

  it.each([
    ['no signature', delivered.body, undefined, url],
    ['an empty signature', delivered.body, '', url],
    ['another message’s signature', delivered.body, failed.signature, url],
    ['a changed body', delivered.body.replace('delivered', 'failed'), delivered.signature, url],
    ['another delivery in the address', delivered.body, delivered.signature, url.replace('d-1', 'd-2')],
  ])('are refused with %s', (_name, body, signature, at) => {
    expect(read(body, signature, at)).toEqual(refusedWith('SIGNATURE_REFUSED'));
  });

  it('are refused when they were signed with another account’s token', () => {
    expect(read(delivered.body, delivered.signature, url, 'another')).toEqual(
      refusedWith('SIGNATURE_REFUSED'),
    );
  });
});

describe('SendGrid event webhooks', () => {
  const clock: Clock = { now: () => 1_700_000_000_000 };
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const webhookPublicKey = keys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const open = {
    event: 'open',
    timestamp: 1_699_999_990,
    email: 'alice@example.com',
    deliveryId: 'd-1',
    notificationId: 'n-1',
    sg_event_id: 'e-1',
    sg_message_id: 'm-1',
  };

  function read(body: string, own: { age?: number; key?: string | undefined; sent?: string } = {}) {
    const timestamp = String(1_700_000_000 - (own.age ?? 0));
    const signature = sign('sha256', Buffer.from(timestamp + body), keys.privateKey).toString('base64');
    const headers = {
      'x-twilio-email-event-webhook-signature': signature,
      'x-twilio-email-event-webhook-timestamp': timestamp,
    };
    const config = 'key' in own ? (own.key ? { webhookPublicKey: own.key } : {}) : { webhookPublicKey };
    return readSendGridCallback({ url: '', body: Buffer.from(own.sent ?? body), headers }, config, clock);
  }

  it('are trusted with the right signature, and report what became of which delivery', () => {
    expect(read(JSON.stringify([open]))).toEqual({
      ok: true,
      value: [
        {
          kind: 'opened',
          deliveryId: 'd-1',
          providerId: 'm-1',
          suspectedBot: false,
          detail: {},
        },
      ],
    });
  });

  it.each([
    ['processed', { kind: 'sent' }],
    ['deferred', { kind: 'sent' }],
    ['delivered', { kind: 'delivered' }],
    ['bounce', { kind: 'failed', reason: 'bounce' }],
    ['blocked', { kind: 'failed', reason: 'blocked' }],
    ['dropped', { kind: 'failed', reason: 'dropped' }],
    ['open', { kind: 'opened' }],
    ['click', { kind: 'clicked' }],
    ['unsubscribe', { kind: 'unsubscribed', detail: { via: 'unsubscribe' } }],
    ['group_unsubscribe', { kind: 'unsubscribed', detail: { via: 'group_unsubscribe' } }],
    ['spamreport', { kind: 'unsubscribed', at: new Date('2023-11-14T22:13:10.999Z') }],
  ])('report %s', (event, report) => {
    expect(read(JSON.stringify([{ ...open, event }]))).toMatchObject({ ok: true, value: [report] });
  });

  it.each([
    ['bounce', { type: 'bounce' }, 'HARD_BOUNCE'],
    ['bounce', { type: 'blocked' }, 'SOFT_BOUNCE'],
    ['bounce', { type: 'expired' }, 'SOFT_BOUNCE'],
    ['bounce', {}, undefined],
    ['blocked', {}, 'SOFT_BOUNCE'],
    ['dropped', { reason: 'Bounced Address' }, 'HARD_BOUNCE'],
    ['dropped', { reason: 'Spam Reporting Address' }, 'COMPLAINT'],
    ['dropped', { reason: 'Unsubscribed Address' }, undefined],
    ['spamreport', {}, 'COMPLAINT'],
    ['unsubscribe', { type: 'bounce' }, undefined],
    ['deferred', { type: 'bounce' }, undefined],
  ])('of a %s %o say of the address: %s', (event, own, addressFault) => {
    const { email, ...nameless } = { ...open, event, ...own };
    const reports = read(JSON.stringify([{ ...nameless, email }, nameless]));
    const fault = addressFault && { addressFault };
    const expected = [fault && { ...fault, address: email }, fault].map((one) => ({ ...one }));
    expect(reports).toMatchObject({ ok: true, value: expected });
    if (!fault) expect(JSON.stringify(reports)).not.toContain('address');
  });

  it('report the reader’s program, and what SendGrid takes for a machine', () => {
    expect(read(JSON.stringify([{ ...open, useragent: 'x', sg_machine_open: true }]))).toMatchObject({
      value: [{ detail: { user_agent: 'x' }, suspectedBot: true }],
    });
    expect(read(JSON.stringify([{ ...open, sg_machine_open: false }]))).toHaveProperty(
      'value.0.suspectedBot',
      false,
    );
  });

  it('leave out what is none of ours without losing the rest', () => {
    const { deliveryId: _, ...foreign } = open;
    const body = JSON.stringify([foreign, { ...open, event: 'group_resubscribe' }, 7, open]);
    expect(read(body)).toMatchObject({ ok: true, value: [{ deliveryId: 'd-1' }] });
  });

  it('are refused when one byte of the body was changed', () => {
    const body = JSON.stringify([open]);
    expect(read(body, { sent: body.replace('d-1', 'd-2') })).toEqual(refusedWith('SIGNATURE_REFUSED'));
    expect(read(body, { sent: `${body} ` })).toEqual(refusedWith('SIGNATURE_REFUSED'));
  });

  it('are refused 10 minutes after they were signed, and from the future', () => {
    const body = JSON.stringify([open]);
    expect(read(body, { age: 600 })).toMatchObject({ ok: true });
    expect(read(body, { age: 601 })).toEqual(refusedWith('SIGNATURE_EXPIRED'));
    expect(read(body, { age: -601 })).toEqual(refusedWith('SIGNATURE_EXPIRED'));
  });

  it('are refused without a signature, with another key, with an unreadable key, and while no key is configured', () => {
    const body = JSON.stringify([open]);
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    const strange = stranger.export({ format: 'der', type: 'spki' }).toString('base64');
    const unsigned = { url: '', body: Buffer.from(body), headers: {} };
    expect(readSendGridCallback(unsigned, { webhookPublicKey }, clock)).toEqual(
      refusedWith('SIGNATURE_REFUSED'),
    );
    expect(read(body, { key: strange })).toEqual(refusedWith('SIGNATURE_REFUSED'));
    expect(read(body, { key: 'bm8ga2V5' })).toEqual(refusedWith('SIGNATURE_REFUSED'));
    expect(read(body, { key: undefined })).toEqual(refusedWith('WEBHOOK_OFF'));
  });

  it.each(['no json', '{"event":"open"}'])('are refused when they hold no list: %s', (body) => {
    expect(read(body)).toEqual(refusedWith('CALLBACK_MALFORMED'));
  });
});
