import type { NodemailerError } from 'nodemailer';
import { entryOf, type Failed, failed, judged, type Meaning, meanings } from '../failure.js';

const { down, unavailable, credentials, rejected, rejectedForNow, noAddress, tooLarge } = meanings;
const { hardBounce, softBounce, softBounceForNow } = meanings;

/** Replies of SMTP (RFC 5321, RFC 4954) that do not go by their first digit alone. */
export const smtpMeanings: Readonly<Record<number, Meaning>> = {
  421: unavailable, // the service closes its doors
  450: softBounceForNow, // the mailbox is busy
  452: softBounceForNow, // it is full for now
  454: unavailable, // signing in fails for now
  503: unavailable, // commands out of order: the session is broken, not the mail
  530: credentials, // signing in is asked for
  534: credentials,
  535: credentials,
  538: credentials,
  550: hardBounce,
  551: hardBounce,
  552: softBounce, // the mailbox is full
  553: hardBounce,
  554: rejected,
};

/** Enhanced codes (RFC 3463), where they say more than the reply does: a mailbox, a size, a policy. */
const enhancedMeanings: Readonly<Record<string, Meaning>> = {
  '4.2.2': softBounceForNow, // the mailbox is full
  '5.1.1': hardBounce,
  '5.1.2': hardBounce,
  '5.1.3': hardBounce,
  '5.1.6': hardBounce,
  '5.1.10': hardBounce,
  '5.2.1': hardBounce,
  '5.2.2': softBounce, // the mailbox is full
  '5.2.3': tooLarge,
  '5.3.4': tooLarge,
};

/** nodemailer's codes for calls that got no reply. */
const unansweredMeanings: Readonly<Record<string, Meaning>> = {
  EABORT: { code: 'PROVIDER_TIMEOUT', retryable: true },
  EAUTH: credentials,
  ENOAUTH: credentials,
  EENVELOPE: noAddress,
};

/**
 * What an error of nodemailer means: by the enhanced code, by the reply's number, else by nodemailer's own code.
 *
 * @param begun whether any of the mail itself was sent: what then got no reply may have been taken
 */
export function smtpFailure(error: NodemailerError, begun: boolean): Failed {
  const { responseCode: reply, response, message } = error;
  if (!reply) {
    const { code, ...facts } = entryOf(unansweredMeanings, error.code ?? '') ?? (begun ? down : unavailable);
    return failed(code, message, { ...facts, outcomeUnknown: begun && Boolean(facts.retryable) });
  }
  return judged(meaningOf(reply, response ?? '', error), response ?? message, reply);
}

function meaningOf(reply: number, response: string, { code, command }: NodemailerError): Meaning {
  // Without TLS nothing of ours is said: wrong for every mail, so none of them is given up.
  if (code === 'ETLS') return unavailable;
  if (code === 'EAUTH') return reply < 500 ? unavailable : credentials;
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  const byEnhanced = enhanced && entryOf(enhancedMeanings, enhanced);
  if (byEnhanced) return byEnhanced;
  // For now: greylisting, a full disk, a mailbox that is in use.
  const meaning: Meaning = entryOf(smtpMeanings, reply) ?? (reply < 500 ? rejectedForNow : rejected);
  // Only the answer to RCPT speaks of the recipient, and x.7 is policy wherever it stands.
  const isRecipient = command === 'RCPT TO' && !/^\d\.7\./.test(enhanced ?? '');
  if (meaning.addressFault === undefined || isRecipient) return meaning;
  return meaning.retryable ? rejectedForNow : rejected;
}
