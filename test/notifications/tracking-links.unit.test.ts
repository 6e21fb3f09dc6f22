import { createHmac, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinks, type TrackedLink } from '../../src/domains/notifications/tracking/links.js';

const trackUrl = 'https://track.example.com/t';
const secret = 'a secret for links, of 32 characters';
const links = createLinks({ trackUrl, secret });

/** As a server reads it. */
const queryOf = (link: string): Record<string, string | string[]> => {
  const { searchParams } = new URL(link);
  return Object.fromEntries(
    [...searchParams.keys()].map((name) => {
      const all = searchParams.getAll(name);
      return [name, all.length === 1 ? all[0]! : all];
    }),
  );
};

const aLink: fc.Arbitrary<TrackedLink & { url: string }> = fc.record({
  notificationId: fc
    .string({ minLength: 1, maxLength: 64, unit: 'grapheme' })
    .filter((id) => id.length <= 64),
  deliveryId: fc.uuid(),
  sentAt: fc.integer({ min: 0, max: 4_000_000_000 }),
  url: fc.webUrl({ withQueryParameters: true, withFragments: true }),
});
const codeOf = (kind: 'open' | 'click' | 'unsubscribe' | 'preferences', query: unknown) => {
  const read = links.read(kind, query);
  return read.ok ? 'ok' : read.errors[0]!.code;
};

describe('a tracked link', () => {
  it('says what it was made of, whatever that was', () => {
    fc.assert(
      fc.property(aLink, (link) => {
        expect(links.read('click', queryOf(links.make('click', link)))).toEqual({ ok: true, value: link });
        const { url: _, ...rest } = link;
        for (const kind of ['open', 'unsubscribe', 'preferences'] as const) {
          expect(links.read(kind, queryOf(links.make(kind, rest)))).toMatchObject({ ok: true, value: rest });
        }
      }),
    );
  });

  it('is refused when any one of its parameters was changed', () => {
    const tampering = fc.tuple(aLink, fc.constantFrom('nid', 'd', 't', 's', 'url'), fc.string(), aLink);
    fc.assert(
      fc.property(tampering, ([link, name, text, another]) => {
        const query = queryOf(links.make('click', link));
        const others = queryOf(links.make('click', another));
        for (const value of [
          text,
          others[name]!,
          `${query[name]} `,
          `${query[name]}=`,
          [query[name], text],
        ]) {
          if (value === query[name]) continue;
          expect(['SIGNATURE_REFUSED', 'LINK_MALFORMED']).toContain(
            codeOf('click', { ...query, [name]: value }),
          );
        }
        const { [name]: _, ...without } = query;
        expect(codeOf('click', without)).toBe('LINK_MALFORMED');
      }),
    );
  });

  it('is refused when one character of its signature was changed, whichever', () => {
    const query = queryOf(
      links.make('open', { notificationId: 'n', deliveryId: crypto.randomUUID(), sentAt: 1 }),
    );
    const signature = String(query.s);
    expect(Buffer.from(signature, 'base64url').length * 8).toBeGreaterThanOrEqual(128);
    for (let i = 0; i < signature.length; i++) {
      const other = signature[i] === 'A' ? 'B' : 'A';
      const s = signature.slice(0, i) + other + signature.slice(i + 1);
      expect(codeOf('open', { ...query, s })).toBe('SIGNATURE_REFUSED');
    }
    expect(codeOf('open', query)).toBe('ok');
  });

  it('is of one kind only, and never a part of another', () => {
    fc.assert(
      fc.property(aLink, ({ url, ...link }) => {
        for (const [made, read] of [
          ['open', 'unsubscribe'],
          ['unsubscribe', 'open'],
          ['unsubscribe', 'preferences'],
          ['preferences', 'unsubscribe'],
        ] as const) {
          expect(codeOf(read, queryOf(links.make(made, link)))).toBe('SIGNATURE_REFUSED');
        }
        expect(codeOf('click', { ...queryOf(links.make('open', link)), url })).toBe('SIGNATURE_REFUSED');
      }),
    );
  });

  it('cannot be made by moving characters from one parameter to the next', () => {
    const link = {
      notificationId: 'order-1',
      deliveryId: crypto.randomUUID(),
      sentAt: 12,
      url: 'https://a.example/',
    };
    const query = queryOf(links.make('click', link));
    expect(codeOf('click', { ...query, nid: 'order-', d: `1${link.deliveryId}` })).toBe('LINK_MALFORMED');
    expect(codeOf('click', { ...query, t: '1', url: `2${link.url}` })).toBe('SIGNATURE_REFUSED');
  });

  it('made with another secret is refused', () => {
    const others = createLinks({ trackUrl, secret: `${secret}!` });
    const link = { notificationId: 'n', deliveryId: crypto.randomUUID(), sentAt: 1 };
    expect(codeOf('open', queryOf(others.make('open', link)))).toBe('SIGNATURE_REFUSED');
  });

  it('is signed with a key made from the secret for links alone', () => {
    const query = queryOf(
      links.make('open', { notificationId: 'n', deliveryId: crypto.randomUUID(), sentAt: 1 }),
    );
    const signed = JSON.stringify(['open', query.nid, query.d, query.t, null]);
    const mac = (key: string | Buffer) =>
      createHmac('sha256', key).update(signed).digest('base64url').slice(0, String(query.s).length);
    expect(mac(secret)).not.toBe(query.s);
    expect(mac(Buffer.from(hkdfSync('sha256', secret, '', 'tidings tracking links v1', 32)))).toBe(query.s);
  });

  it.each([null, undefined, 'x', [], { nid: {} }, { nid: 'n', d: 'd', t: '1', s: 's' }])(
    'is not %j',
    (query) => {
      expect(codeOf('open', query)).toBe('LINK_MALFORMED');
    },
  );
});
