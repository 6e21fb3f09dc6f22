import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { createTransport, type NodemailerError, type SendMailOptions } from 'nodemailer';
import { type AdapterDeps, createAdapter } from '../adapter.js';
import { failed } from '../failure.js';
import { trusting } from '../https-client.js';
import { headerText, messageId, unsubscribeHeaders } from '../mail-headers.js';
import type { Provider, ProviderMessage, ProviderOutcome } from '../provider.js';
import { smtpFailure } from './failure.js';
import type { SmtpConfig } from './index.js';

const MAX_CONNECTIONS = 16;
const CONNECT_TIMEOUT_MS = 5_000;

/** Mail by SMTP: connections stay open between mails; 250 after the mail counts as delivered: SMTP reports no more. */
export function createSmtp(config: SmtpConfig, deps: AdapterDeps): Provider {
  const bodies = new WeakMap<AbortSignal, Readable>();
  const transport = createTransport({
    url: config.url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    maxMessages: Number.POSITIVE_INFINITY,
    // A server that hangs up before its greeting is down; retries are decided elsewhere.
    maxRequeues: 1,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    requireTLS: needsTls(config.url),
    tls: trusting(deps.ca),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.use('stream', (mail, done) => {
    const open = mail.message.createReadStream.bind(mail.message);
    mail.message.createReadStream = (options) => {
      const body = open(options);
      if (mail.data.signal) bodies.set(mail.data.signal, body);
      return body;
    };
    done();
  });

  async function call(message: ProviderMessage, signal: AbortSignal): Promise<ProviderOutcome> {
    if (!isMailbox(message.address)) {
      return failed('INVALID_ADDRESS', 'the address is no mailbox', { removeToken: true });
    }
    // A signal of this call alone, by which its body is found.
    const own = AbortSignal.any([signal]);
    try {
      const mail = smtpMail(message, config.from, deps.clock.now());
      const { messageId } = await transport.sendMail({ ...mail, signal: own });
      return { kind: 'delivered', providerId: messageId };
    } catch (error) {
      if (!isOfMail(error)) throw error;
      return smtpFailure(error, bodies.get(own)?.readableDidRead ?? false);
    }
  }

  return createAdapter('smtp', deps.logger, call, () => transport.close());
}

/** Whether mail goes by TLS or not at all: a password leaves the machine no other way, unless `?requireTLS=false`. */
export function needsTls(address: string): boolean {
  const { protocol, username, hostname } = new URL(address);
  const isLocal =
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
  return protocol === 'smtp:' && username !== '' && !isLocal;
}

const isOfMail = (error: unknown): error is NodemailerError => error instanceof Error && 'code' in error;

/** One mailbox and nothing else: no list of them, no display name, no line break. */
const MAILBOX = /^[^\s\p{Cc}<>()[\],;:\\"@]+@[^\s\p{Cc}<>()[\],;:\\"@]+$/u;

/** Whether an address can stand in a mail's envelope as it is. */
const isMailbox = (address: string): boolean => MAILBOX.test(address);

/** The mail of a delivery. Its Message-ID is the same for every repeat, so that a repeat can be recognized. */
function smtpMail(message: ProviderMessage, from: string, now: number): SendMailOptions {
  const { title, subject, body, htmlBody } = message.content;
  return {
    // Given apart from the headers, so that nobody reads recipients out of text.
    envelope: { from, to: [message.address] },
    from: { name: '', address: from },
    to: { name: '', address: message.address },
    subject: headerText(subject ?? title ?? ''),
    text: body,
    ...(htmlBody !== undefined && { html: htmlBody }),
    date: new Date(now),
    messageId: messageId(message.deliveryId, from),
    headers: {
      'X-Notification-ID': headerText(message.notificationId),
      ...unsubscribeHeaders(from, message.unsubscribeUrl),
    },
    xMailer: false,
  };
}
