import { z } from 'zod';
import { type ConfigOf, declareProvider, setting } from '../declare.js';

const settings = {
  /** `smtp://user:password@host:port`, or `smtps:` for TLS from the start. */
  url: setting('SMTP_URL', z.url({ protocol: /^smtps?$/ })),
  /** The sender's mail address. */
  from: setting('SMTP_FROM', z.email()),
};
export type SmtpConfig = ConfigOf<typeof settings>;

export const smtp = declareProvider({
  name: 'smtp',
  title: 'SMTP',
  sendsTo: 'email',
  settings,
  adapter: async () => ({ create: (await import('./adapter.js')).createSmtp }),
});
