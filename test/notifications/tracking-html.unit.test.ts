import fc from 'fast-check';
import { type DefaultTreeAdapterMap, parse, serialize } from 'parse5';
import { describe, expect, it } from 'vitest';
import { createLinks } from '../../src/domains/notifications/tracking/links.js';
import { dress as dressMessage } from '../../src/domains/notifications/tracking/tracking.js';
import type { Clock } from '../../src/platform/clock.js';
import { someMessage } from './with-sandbox.js';

const trackUrl = 'https://track.example.com/t';
const secret = 'a secret for links, of 32 characters';
const clock: Clock = { now: () => 1_700_000_000_500 };
const links = createLinks({ trackUrl, secret });

type Element = DefaultTreeAdapterMap['element'];
type Node = DefaultTreeAdapterMap['node'];

function elementsOf(node: Node): Element[] {
  const below = 'childNodes' in node ? node.childNodes.flatMap(elementsOf) : [];
  return 'tagName' in node ? [node, ...below] : below;
}
const isPixel = ({ tagName, attrs }: Element): boolean =>
  tagName === 'img' &&
  attrs.some(({ name, value }) => name === 'src' && value.startsWith(`${trackUrl}/open?`));

/** Where a link of ours goes on to; any other link itself. */
function targetOf(href: string): string {
  if (!href.startsWith(`${trackUrl}/click?`)) return href;
  const read = links.read('click', Object.fromEntries(new URL(href).searchParams));
  if (!read.ok) throw new Error('a link of ours is not trusted');
  return read.value.url!;
}

/** Undoes tracking on the parsed tree: what is left must be what was there. */
function undressed(html: string): string {
  const document = parse(html);
  for (const element of elementsOf(document)) {
    element.childNodes = element.childNodes.filter((child) => !('tagName' in child && isPixel(child)));
    const href = element.attrs.find(({ name, prefix }) => name === 'href' && !prefix);
    if (href) href.value = targetOf(href.value);
  }
  return serialize(document);
}

const deliveryId = crypto.randomUUID();
function dress(htmlBody: string): string {
  const message = someMessage({
    deliveryId,
    address: 'ann@example.com',
    content: { body: 'text', htmlBody },
  });
  return dressMessage({ links, clock }, message).content.htmlBody!;
}
const hrefsOf = (html: string): string[] =>
  elementsOf(parse(html)).flatMap(({ attrs }) =>
    attrs.filter(({ name }) => name === 'href').map(({ value }) => value),
  );

describe("a mail's HTML", () => {
  it.each([
    ['a link', '<p>Hi <a class="x" href="https://a.example/?b=1&amp;c=2#d">there</a></p>'],
    ['single quotes', "<a title='1 > 2' href='https://a.example/'>x</a>"],
    ['no quotes', '<a href=https://a.example/b/c id=x>x</a>'],
    ['blanks and capitals', '<A\n  HREF = "  https://a.example/ " >x</A>'],
    ['a capital scheme', '<a href="HTTPS://a.example/">x</a>'],
    ['a map', '<map name="m"><area shape="rect" coords="0,0,1,1" href="http://a.example/"></map>'],
    ['other letters', '<a href="https://münchen.example/straße?q=日本&amp;e=😀">日本 😀</a>'],
    ['two links of one', '<a href="https://a.example/" href="https://b.example/">x</a>'],
    [
      'a whole page',
      '<!DOCTYPE html>\r\n<html><head><title>T</title></head>\r\n<body bgcolor=red>x<a href="http://a.example">y</a>\r\n</body>\r\n</html>\r\n',
    ],
    ['a broken page', '<table><tr><a href="http://a.example"><td>x</b></i></p></div>'],
  ])('is the same but for its links and the pixel: %s', (_name, html) => {
    const dressed = dress(html);
    expect(undressed(dressed)).toBe(serialize(parse(html)).replace(/(?<=href=")\s+|\s+(?=")/g, ''));
    expect(hrefsOf(dressed).filter((href) => href.startsWith(`${trackUrl}/click?`)).length).toBe(1);
    expect(elementsOf(parse(dressed)).filter(isPixel).length).toBe(1);
  });

  it.each([
    ['mail', '<a href="mailto:a@example.com">x</a>'],
    ['telephone', '<a href="tel:+15551234567">x</a>'],
    ['a place in the mail', '<a href="#top">x</a>'],
    ['a path', '<a href="/path">x</a>'],
    ['no scheme', '<a href="//a.example/">x</a>'],
    ['a script', '<a href="javascript:alert(1)">x</a>'],
    ['no target', '<a href="">x</a><a name="x">y</a><a href>z</a>'],
    ['no address', '<a href="https://">x</a>'],
    ['a style sheet', '<link rel="stylesheet" href="https://a.example/x.css">'],
    ['a base', '<base href="https://a.example/">'],
    ['an image', '<img src="https://a.example/x.png">'],
    ['a comment', '<!--[if mso]><a href="https://a.example/">x</a><![endif]-->'],
    [
      'a style',
      '<style>a[href="https://a.example/"]::after { content: "<a href=https://a.example>" }</style>',
    ],
    ['text', '&lt;a href="https://a.example/"&gt;'],
    [
      'ours already',
      `<a href="${links.make('click', { notificationId: 'n', deliveryId, sentAt: 1, url: 'https://a.example' }).replaceAll('&', '&amp;')}">x</a>`,
    ],
    ['a link that no server would read', `<a href="https://a.example/${'x'.repeat(9_000)}">x</a>`],
  ])('keeps every character of what is no link to the web: %s', (_name, html) => {
    const dressed = dress(html);
    expect(dressed.startsWith(html)).toBe(true);
    expect(dressed.slice(html.length)).toMatch(/^<img [^<>]+>$/);
  });

  it('has its pixel before the end of its body, or at its end', () => {
    expect(dress('<body>x</body></html>')).toMatch(/^<body>x<img [^<>]+><\/body><\/html>$/);
    expect(dress('<!-- </body> --><body>x</BODY >')).toMatch(
      /^<!-- <\/body> --><body>x<img [^<>]+><\/BODY >$/,
    );
    expect(dress('x')).toMatch(/^x<img [^<>]+>$/);
    expect(dress('')).toMatch(/^<img [^<>]+>$/);
  });

  it('writes addresses as HTML wants them', () => {
    const dressed = dress('<a href="https://a.example/?x=1&amp;y=&quot;2&quot;">x</a>');
    expect(dressed.match(/&amp;d=/g)?.length).toBe(2);
    expect(dressed).not.toMatch(/&(?!amp;)/);
  });

  it('keeps its text and structure, whatever it is', () => {
    const word = fc.constantFrom(
      ...['a', '&amp;', '&nbsp;', 'é', '😀', '\r\n', '<br>', '<pre>\n\nx</pre>', '<!-- c -->', '>', '< '],
      ...['<p>', '</p>', '<ul><li>', '<div style="color:red">', '</div>', '<td>', '<table>', '</table>'],
      ...[
        '<a href="https://a.example/?x=1&amp;y">x</a>',
        "<a href='http://b.example'>&lt;</a>",
        '<a href=#x></a>',
      ],
      ...[
        '<svg><a href="https://a.example">x</a></svg>',
        '<title>t</title>',
        '<textarea><a href="https://a"></textarea>',
      ],
    );
    // What stays open to the end would stand around the pixel too, in any reader.
    const whole = fc
      .tuple(fc.array(word, { maxLength: 30 }), fc.constantFrom('', '</body>', '</body>\n</html>\n'))
      .map(([words, end]) => `${words.join('')}${end}`);
    fc.assert(
      fc.property(whole, (html) => {
        expect(undressed(dress(html))).toBe(serialize(parse(html)));
      }),
      { numRuns: 500 },
    );
  });

  it('of 100,000 characters and thousands of links takes no time that grows with their square', () => {
    const html = '<a href="http://a.example">x</a>'.repeat(3_000);
    const started = process.cpuUsage();
    expect(hrefsOf(dress(html)).length).toBe(3_000);
    // Of this process alone: neighbours on the machine do not count.
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5_000);
  });
});

describe('dressing', () => {
  const mail = { address: 'ann@example.com', content: { body: 'text' } };

  it('gives a plain mail its link to unsubscribe, and nothing else', () => {
    const message = someMessage({ ...mail, deliveryId });
    const { unsubscribeUrl, ...rest } = dressMessage({ links, clock }, message);
    expect(rest).toEqual(message);
    const read = links.read('unsubscribe', Object.fromEntries(new URL(unsubscribeUrl!).searchParams));
    expect(read).toMatchObject({
      value: { deliveryId, notificationId: message.notificationId, sentAt: 1_700_000_000 },
    });
  });

  it('leaves push, SMS and in-app as they are', () => {
    for (const address of [
      'a1b2c3',
      '+15551234567',
      'alice',
      '{"endpoint":"https://push.example.com/a@b","keys":{}}',
    ]) {
      const message = someMessage({
        address,
        content: { body: 'x', htmlBody: '<a href="https://a.example">x</a>' },
      });
      expect(dressMessage({ links, clock }, message)).toBe(message);
    }
  });

  it('leaves mails as they are where there is no secret', () => {
    const message = someMessage({
      ...mail,
      content: { body: 'x', htmlBody: '<a href="https://a.example">x</a>' },
    });
    expect(dressMessage({ links: null, clock }, message)).toBe(message);
  });

  it('never offers to unsubscribe from what the user waits for', () => {
    const message = someMessage({ ...mail, notificationType: 'VERIFICATION_CODE' });
    expect(dressMessage({ links, clock }, message)).not.toHaveProperty('unsubscribeUrl');
  });
});
