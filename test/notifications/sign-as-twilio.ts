import { createHmac } from 'node:crypto';

/**
 * Signs a callback as Twilio does: HMAC-SHA1 of the address and, by name, each field's name and value. `twilio-signature.int` holds it
 * against signatures that Twilio's own library made.
 */
export const signAsTwilio = (
  authToken: string,
  url: string,
  fields: Readonly<Record<string, string>>,
): string =>
  createHmac('sha1', authToken)
    .update(
      url +
        Object.keys(fields)
          .sort()
          .map((name) => name + fields[name])
          .join(''),
    )
    .digest('base64');
