import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  type CallbackPoster,
  type CallbackStep,
  defineStandIn,
  header,
  idsOf,
  type Reply,
  type SandboxProvider,
  type SandboxRequest,
} from '../stand-in.js';

const E164 = /^\+[1-9]\d{6,14}$/;
const MAX_BODY_CHARACTERS = 1600;
const PATH = /^\/2010-04-01\/Accounts\/([^/]+)\/Messages\.json$/;

/** Recipients that Twilio's own test credentials refuse, and how. */
const magicNumbers: Readonly<Record<string, number>> = {
  '+15005550001': 21211,
  '+15005550002': 21612,
  '+15005550003': 21408,
  '+15005550004': 21610,
  '+15005550009': 21614,
};

const messages: Readonly<Record<number, string>> = {
  20003: 'Authenticate',
  20004: 'Method not allowed',
  20404: 'The requested resource was not found',
  20429: 'Too Many Requests',
  20500: 'Internal Server Error',
  20503: 'Service Unavailable',
  21211: "Invalid 'To' Phone Number",
  21408: 'Permission to send an SMS has not been enabled for the region',
  21602: 'Message body is required.',
  21604: "A 'To' phone number is required.",
  21606: "The 'From' phone number is not a valid, SMS-capable number of this account.",
  21609: "The 'StatusCallback' URL is not a valid URL.",
  21610: 'Attempt to send to unsubscribed recipient',
  21612: "The 'To' phone number is not currently reachable via SMS",
  21614: "'To' number is not a valid mobile number",
  21617: 'The concatenated message body exceeds the 1600 character limit',
};
const codes: Readonly<Record<number, number>> = {
  401: 20003,
  404: 20404,
  405: 20004,
  429: 20429,
  500: 20500,
  503: 20503,
};

const credentials = z.object({ accountSid: z.string(), authToken: z.string(), from: z.string() });
type Credentials = z.infer<typeof credentials>;

export const twilioStandIn = defineStandIn({
  credentials,
  makeCredentials: () => ({
    accountSid: `AC${randomBytes(16).toString('hex')}`,
    authToken: randomBytes(16).toString('hex'),
    from: '+15005550006',
  }),
  settings: (own, url) => ({ url, ...own }),
  open: (own, { callbacks }) => openTwilio(own, callbacks),
});

/** Twilio's Messages resource, and the signed status callbacks that follow a message. */
function openTwilio(credentials: Credentials, callbacks: CallbackPoster): SandboxProvider {
  const basic = `Basic ${Buffer.from(`${credentials.accountSid}:${credentials.authToken}`).toString('base64')}`;

  return {
    serves: (path) => path.startsWith('/2010-04-01/'),
    async judge(request) {
      const account = PATH.exec(request.path)?.[1];
      if (!account) return problem(404, 20404);
      if (request.method !== 'POST') return problem(405, 20004);
      if (header(request, 'authorization') !== basic || account !== credentials.accountSid) {
        return problem(401, 20003);
      }
      const form = Object.fromEntries(new URLSearchParams(request.body.toString('utf8')));
      const wrong = checkForm(request, form, credentials.from);
      if (wrong) return problem(400, wrong);
      const sid = `SM${randomBytes(16).toString('hex')}`;
      const callbackUrl = form.StatusCallback;
      return {
        message: {
          to: form.To ?? '',
          providerId: sid,
          ...idsOf(Object.fromEntries(URL.parse(callbackUrl ?? '')?.searchParams ?? [])),
          body: form,
        },
        reply: { status: 201, body: resource(sid, form, credentials.accountSid) },
        afterwards: (outcome = 'delivered') => {
          if (!callbackUrl || outcome === 'none') return;
          const chain = ['queued', 'sent', outcome];
          callbacks.post(chain.map((status) => step(callbackUrl, sid, status, form, credentials)));
        },
      };
    },
    refusal: (status, reason) =>
      /^\d{5}$/.test(reason ?? '')
        ? problem(status, Number(reason))
        : problem(status, codes[status] ?? 20500, reason),
  };
}

/** Twilio's number for what is wrong, or undefined. */
function checkForm(request: SandboxRequest, form: Record<string, string>, from: string): number | undefined {
  if (!header(request, 'content-type')?.startsWith('application/x-www-form-urlencoded')) return 21604;
  if (!form.To) return 21604;
  if (!E164.test(form.To)) return 21211;
  if (magicNumbers[form.To]) return magicNumbers[form.To];
  if (form.From !== from) return 21606;
  if (!form.Body) return 21602;
  if (form.Body.length > MAX_BODY_CHARACTERS) return 21617;
  if (form.StatusCallback && !/^https?:$/.test(URL.parse(form.StatusCallback)?.protocol ?? '')) return 21609;
  return undefined;
}

function resource(sid: string, form: Record<string, string>, accountSid: string) {
  return {
    sid,
    account_sid: accountSid,
    api_version: '2010-04-01',
    from: form.From,
    to: form.To,
    body: form.Body,
    status: 'queued',
    direction: 'outbound-api',
    num_segments: '1',
    error_code: null,
    error_message: null,
    uri: `/2010-04-01/Accounts/${accountSid}/Messages/${sid}.json`,
  };
}

function step(
  url: string,
  sid: string,
  status: string,
  form: Record<string, string>,
  credentials: Credentials,
): CallbackStep {
  const fields = {
    AccountSid: credentials.accountSid,
    ApiVersion: '2010-04-01',
    From: form.From ?? '',
    MessageSid: sid,
    MessageStatus: status,
    SmsSid: sid,
    SmsStatus: status,
    To: form.To ?? '',
    ...((status === 'failed' || status === 'undelivered') && { ErrorCode: '30003' }),
  };
  return {
    url,
    request: () => ({
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signature(url, fields, credentials.authToken),
      },
      body: new URLSearchParams(fields).toString(),
    }),
  };
}

function signature(url: string, fields: Record<string, string>, authToken: string): string {
  const names = Object.keys(fields).sort();
  const signed = names.reduce((text, name) => text + name + fields[name], url);
  return createHmac('sha1', authToken).update(signed).digest('base64');
}

function problem(status: number, code: number, message = messages[code] ?? 'An error occurred'): Reply {
  const body = { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status };
  return { status, body };
}
