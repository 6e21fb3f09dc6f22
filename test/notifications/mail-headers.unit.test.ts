import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { describe, expect, it } from 'vitest';
import {
  headerText,
  messageId,
  unsubscribeHeaders,
} from '../../src/domains/notifications/providers/mail-headers.js';

const from = 'news@tidings.example';
/** As a mail reader shows it: of free text, mailparser decodes the subject alone. */
const readBack = async (value: string) => (await simpleParser(`Subject: ${value}\r\n\r\n`)).subject;

describe('text in a header', () => {
  it('is what it was for plain ids', () => {
    for (const id of ['order-123-shipped', 'a.b/c:d_e%20f', 'two words']) expect(headerText(id)).toBe(id);
  });

  it.each(['Grüße', '注文-42', '📦 unterwegs', '=?utf-8?Q?faked?=', 'x'.repeat(5_000), '📦'.repeat(2_000)])(
    'is ASCII in words that can be folded, and reads as it was written: %s',
    async (text) => {
      const written = headerText(text);
      expect(written).toMatch(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/);
      expect(Math.max(...written.split(' ').map((word) => word.length))).toBeLessThanOrEqual(75);
      expect(await readBack(written)).toBe(text);
    },
  );

  it('never breaks its line or leaves ASCII', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const written = headerText(text);
        expect(written).toMatch(/^[ -~]*$/);
        for (const word of written.split(' ')) expect(word.length).toBeLessThanOrEqual(200);
      }),
    );
  });
});

describe('a Message-ID', () => {
  it('is made of characters that may stand in one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        expect(messageId(id, from)).toMatch(/^<[\w!#$%&'*+/=?^`{|}~.-]+@tidings\.example>$/);
      }),
    );
    expect(messageId('0198-ab', from)).toBe('<0198-ab@tidings.example>');
  });
});

describe('unsubscribing', () => {
  it('is one click, as long as its link fits a line', () => {
    const link = 'https://x.example/t/unsubscribe?nid=';
    expect(unsubscribeHeaders(from, `${link}ü>\r\nBcc: eve@example.com`)).toEqual({
      'List-Unsubscribe': `<${link}%C3%BC%3EBcc:%20eve@example.com>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    const mailbox = { 'List-Unsubscribe': `<mailto:${from}?subject=unsubscribe>` };
    expect(unsubscribeHeaders(from, `${link}${'n'.repeat(1_000)}`)).toEqual(mailbox);
    expect(unsubscribeHeaders(from, undefined)).toEqual(mailbox);
  });

  it('names the mailbox as a link has it', () => {
    expect(unsubscribeHeaders('news+50%?@x.example', undefined)).toEqual({
      'List-Unsubscribe': '<mailto:news%2B50%25%3F@x.example?subject=unsubscribe>',
    });
  });
});
