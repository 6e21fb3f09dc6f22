import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import twilio from 'twilio';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readTwilioCallback } from '../../src/domains/notifications/providers/twilio/callback.js';
import { neverAborted, type SandboxTrial, someMessage, tryWithSandbox } from './with-sandbox.js';

const authToken = 'an auth token';
const url = 'https://api.example.com/api/v1/callbacks/twilio?deliveryId=d-1&notificationId=n%2F1';

describe('signatures of Twilio’s own library', () => {
  it.each<[string, string, Record<string, string>]>([
    ['a step', 'sent', { MessageStatus: 'sent', To: '+15551234567' }],
    ['a failure', 'failed', { MessageStatus: 'undelivered', ErrorCode: '30003' }],
    ['letters beyond ASCII', 'delivered', { MessageStatus: 'delivered', Body: 'Grüße 👋 + & = %' }],
    ['empty fields', 'delivered', { MessageStatus: 'delivered', SmsStatus: '', Zone: '' }],
  ])('are trusted here: %s', (_name, kind, own) => {
    const fields = { MessageSid: 'SM1', ...own };
    const signature = twilio.getExpectedTwilioSignature(authToken, url, fields);
    const body = Buffer.from(new URLSearchParams(fields).toString());
    const read = (headers: Record<string, string>) =>
      readTwilioCallback({ url, body, headers }, { authToken });
    expect(read({ 'x-twilio-signature': signature })).toMatchObject({
      ok: true,
      value: [{ deliveryId: 'd-1', kind, providerId: 'SM1' }],
    });
    const other = twilio.getExpectedTwilioSignature('another token', url, fields);
    expect(read({ 'x-twilio-signature': other })).toMatchObject({ ok: false });
  });
});

describe('a public address with a port', () => {
  const fields = { MessageSid: 'SM1', MessageStatus: 'sent' };
  const body = Buffer.from(new URLSearchParams(fields).toString());
  const path = '/api/v1/callbacks/twilio?deliveryId=d-1';
  it.each([
    ['https://a.example', 'https://a.example:443'],
    ['https://a.example:443', 'https://a.example'],
    ['https://a.example:8443', 'https://a.example'],
    ['http://a.example', 'http://a.example:80'],
    ['https://[::1]:8443', 'https://[::1]'],
  ])('is trusted whether Twilio signed it with the port or without: %s, %s', (ours, signed) => {
    for (const at of [ours, signed]) {
      const signature = twilio.getExpectedTwilioSignature(authToken, at + path, fields);
      const headers = { 'x-twilio-signature': signature };
      const request = { url: ours + path, body, headers };
      expect(readTwilioCallback(request, { authToken })).toMatchObject({ ok: true });
    }
  });
});

describe('the sandbox’s callbacks', () => {
  let trial: SandboxTrial;
  beforeAll(async () => {
    trial = await tryWithSandbox();
  });
  afterAll(() => trial.close());

  it('are trusted by Twilio’s own library', async () => {
    const calls: { request: IncomingMessage; body: string }[] = [];
    const server = createServer(async (request, response) => {
      calls.push({ request, body: await text(request) });
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const base = `http://127.0.0.1:${address.port}`;
    await trial
      .providers(trial.config, base)
      .sms.send(someMessage({ address: '+15551234567' }), neverAborted());
    await vi.waitFor(() => expect(calls).toHaveLength(3), 5000);
    server.close();

    const token = trial.config.twilio?.authToken ?? '';
    for (const { request, body } of calls) {
      const signature = String(request.headers['x-twilio-signature']);
      const fields = Object.fromEntries(new URLSearchParams(body));
      expect(twilio.validateRequest(token, signature, base + request.url, fields)).toBe(true);
      expect(twilio.validateRequest(token, signature, `${base}${request.url}x`, fields)).toBe(false);
    }
  });
});
