import { z } from 'zod';
import { type ConfigOf, declareProvider, setting } from '../declare.js';
import { twilioCallback } from './callback.js';

const settings = {
  url: setting('TWILIO_URL', z.url()),
  accountSid: setting('TWILIO_ACCOUNT_SID', z.string()),
  authToken: setting('TWILIO_AUTH_TOKEN', z.string()),
  /** The sender's number in E.164. */
  from: setting('TWILIO_FROM', z.string()),
};
export type TwilioConfig = ConfigOf<typeof settings>;

export const twilio = declareProvider({
  name: 'twilio',
  title: 'Twilio',
  sendsTo: 'sms',
  settings,
  adapter: async () => ({ create: (await import('./adapter.js')).createTwilio }),
  callback: twilioCallback,
  standIn: async () => (await import('./sandbox.js')).twilioStandIn,
});
