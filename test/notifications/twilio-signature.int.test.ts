import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readTwilioCallback } from '../../src/domains/notifications/providers/twilio/callback.js';
import { signAsTwilio } from './sign-as-twilio.js';
import { neverAborted, type SandboxTrial, someMessage, tryWithSandbox } from './with-sandbox.js';

const authToken = 'an auth token';
const url = 'https://api.example.com/api/v1/callbacks/twilio?deliveryId=d-1&notificationId=n%2F1';

describe('signatures that Twilio’s own library made (twilio 6.2.0)', () => {
  it.each<[string, string, Record<string, string>, string]>([
    ['a step', 'sent', { MessageStatus: 'sent', To: '+15551234567' }, 'M9aNAMIU/73++R3LfFE8dsL9B9g='],
    [
      'a failure',
      'failed',
      { MessageStatus: 'undelivered', ErrorCode: '30003' },
      'nsxc+Qvi9o8LPEdDOenScQ/gOMY=',
    ],
    [
      'letters beyond ASCII',
      'delivered',
      { MessageStatus: 'delivered', Body: 'Grüße 👋 + & = %' },
      'WyrBHIXSNg6K2vZ4oA05+4JYyVI=',
    ],
    [
      'empty fields',
      'delivered',
      { MessageStatus: 'delivered', SmsStatus: '', Zone: '' },
      'fQ/8DwNP4+R+9Lubaf+EudnZjCc=',
    ],
  ])('are trusted here: %s', (_name, kind, own, signature) => {
    const fields = { MessageSid: 'SM1', ...own };
    const body = Buffer.from(new URLSearchParams(fields).toString());
    const read = (headers: Record<string, string>) =>
      readTwilioCallback({ url, body, headers }, { authToken });
    expect(read({ 'x-twilio-signature': signature })).toMatchObject({
      ok: true,
      value: [{ deliveryId: 'd-1', kind, providerId: 'SM1' }],
    });
    const other = signAsTwilio('another token', url, fields);
    expect(read({ 'x-twilio-signature': other })).toMatchObject({ ok: false });
    // What other tests, and the sandbox, are held by.
    expect(signAsTwilio(authToken, url, fields)).toBe(signature);
  });

  it('are those of the example in Twilio’s documentation', () => {
    const fields = {
      CallSid: 'CA1234567890ABCDE',
      Caller: '+14158675309',
      Digits: '1234',
      From: '+14158675309',
      To: '+18005551212',
    };
    const signature = signAsTwilio('12345', 'https://mycompany.com/myapp.php?foo=1&bar=2', fields);
    expect(signature).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=');
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
      const signature = signAsTwilio(authToken, at + path, fields);
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

  it('are signed as Twilio’s own', async () => {
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
      expect(signature).toBe(signAsTwilio(token, base + request.url, fields));
    }
  });
});
