import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderTemplate } from '../../src/domains/notifications/templates/render.js';

const none = { title: null, subject: null, body: '', htmlBody: null, imageUrl: null, actionUrl: null };
function render(own: object, variables: Record<string, string>) {
  const rendering = renderTemplate({ ...none, variables: {}, ...own }, variables);
  if (rendering.kind !== 'rendered') throw new Error(JSON.stringify(rendering));
  return rendering.content;
}
const link = (actionUrl: string, variables: Record<string, string>) =>
  render({ actionUrl }, variables).actionUrl;

function unfit(actionUrl: string, variables: Record<string, string>) {
  const rendering = renderTemplate({ ...none, variables: {}, actionUrl }, variables);
  return rendering.kind === 'unfit' ? rendering.why : rendering;
}

describe('a value in a link of a template', () => {
  it('is the same value again for a server that reads the query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (q, tag) => {
        const url = new URL(link('https://shop.example/search?q={{q}}&tag={{tag}}#top', { q, tag })!);
        expect([...url.searchParams]).toEqual([
          ['q', q],
          ['tag', tag],
        ]);
        expect(url.hash).toBe('#top');
      }),
    );
  });

  it('stays one segment of a path, whatever stands in it', () => {
    expect(link('app://threads/{{id}}/last', { id: 'a/b?c#d&e f%2F' })).toBe(
      'app://threads/a%2Fb%3Fc%23d%26e%20f%252F/last',
    );
    expect(link('/orders/{{id}}', { id: 'ü&1' })).toBe('/orders/%C3%BC%261');
  });

  it('leads up no path', () => {
    for (const id of ['.', '..', '...']) {
      expect(unfit('https://e.example/u/{{id}}/delete', { id })).toBe('URL_UNSAFE');
      expect(unfit('https://e.example{{id}}', { id: `/a/${id}/b` })).toBe('URL_UNSAFE');
    }
    expect(unfit('https://e.example/{{a}}{{b}}/c', { a: '.', b: '.' })).toBe('URL_UNSAFE');
    expect(unfit('https://e.example/.{{a}}', { a: '.' })).toBe('URL_UNSAFE');
    expect(link('https://e.example/?q={{q}}', { q: '..' })).toBe('https://e.example/?q=..');
    expect(link('https://e.example/v{{a}}', { a: '..' })).toBe('https://e.example/v..');
  });

  it('right behind a host is the rest of the link', () => {
    const shop = (x: string) => link('https://shop.example{{x}}', { x });
    expect(shop('/a b/ü?c=d&e=f#g')).toBe('https://shop.example/a%20b/%C3%BC?c=d&e=f#g');
    expect(shop('?q=1')).toBe('https://shop.example?q=1');
    expect(shop('#top')).toBe('https://shop.example#top');
    expect(shop('')).toBe('https://shop.example');
    expect(shop('//evil.example')).toBe('https://shop.example//evil.example');
    expect(link('https://{{t}}.shop.example{{x}}', { t: 'a', x: '/b' })).toBe('https://a.shop.example/b');
    expect(link('https://shop.example:8080{{x}}', { x: '/b' })).toBe('https://shop.example:8080/b');
    expect(link('app://threads{{x}}', { x: '/5' })).toBe('app://threads/5');
  });

  it.each([
    ['https://shop.example{{x}}', '.evil.example'],
    ['https://shop.example{{x}}', '@evil.example/'],
    ['https://shop.example{{x}}', ':80@evil.example'],
    ['https://shop.example{{x}}', '\\@evil.example'],
    ['https://shop.example{{x}}/a', 'a'],
    ['https://shop.example.{{x}}', 'evil.example'],
    ['https://shop.example:{{x}}', '80@evil.example'],
    ['https://{{x}}.shop.example/', 'evil.example/'],
    ['https://{{x}}.shop.example/', 'evil.example:80#'],
    ['https://{{x}}.shop.example/', 'evil.example\\'],
    ['//shop.example{{x}}', '.evil.example'],
    ['HTTPS://shop.example{{x}}', '.evil.example'],
    ['https:shop.example{{x}}', '.evil.example'],
    ['https:\\\\shop.example{{x}}', '.evil.example'],
    ['https:{{x}}', '//evil.example'],
    ['{{x}}', 'https://'],
    ['{{x}}', 'https://a b/'],
  ])('in %s changes no host: %s is refused', (actionUrl, x) => {
    expect(unfit(actionUrl, { x })).toBe('URL_UNSAFE');
    const html = { htmlBody: `<a href="${actionUrl}">go</a>` };
    expect(renderTemplate({ ...none, variables: {}, ...html }, { x })).toMatchObject({ why: 'URL_UNSAFE' });
  });

  it('may be a host, a part of one that ends as its template says, or a port', () => {
    expect(link('https://{{host}}/a', { host: 'localhost:3000' })).toBe('https://localhost:3000/a');
    expect(link('https://img{{n}}.shop.example/a', { n: '7' })).toBe('https://img7.shop.example/a');
    expect(link('https://Shop.example:{{port}}/a', { port: '81' })).toBe('https://Shop.example:81/a');
    expect(link('https://[::1]:81{{x}}', { x: '/a' })).toBe('https://[::1]:81/a');
  });

  it('is the link itself where it stands alone or first', () => {
    const url = 'https://shop.example/a?b=c&d=%20#e';
    expect(link('{{url}}', { url })).toBe(url);
    expect(link('{{url}}&ref={{ref}}', { url: 'https://x.example/?a=1', ref: 'b&c' })).toBe(
      'https://x.example/?a=1&ref=b%26c',
    );
    expect(link('{{base}}/orders/{{id}}', { base: 'https://x.example', id: '1/2' })).toBe(
      'https://x.example/orders/1%2F2',
    );
  });

  it('may be an address or a number where the scheme takes one', () => {
    expect(link('mailto:{{to}}?subject={{about}}', { to: 'a+b@x.example', about: 'A & B' })).toBe(
      'mailto:a+b@x.example?subject=A%20%26%20B',
    );
    expect(link('tel:{{phone}}', { phone: '+4915112345678' })).toBe('tel:+4915112345678');
  });

  it('is encoded in pictures too', () => {
    expect(render({ imageUrl: 'https://cdn.example/{{file}}.png' }, { file: 'a b' }).imageUrl).toBe(
      'https://cdn.example/a%20b.png',
    );
  });
});

describe('a value in a link within HTML', () => {
  const html = (htmlBody: string, x: string) => render({ htmlBody }, { x }).htmlBody;

  it('is encoded for the link and escaped for the HTML', () => {
    const x = `a b&"c'<`;
    const encoded = `${encodeURIComponent(x).replace("'", '&#39;')}`;
    for (const [before, after] of [
      ['<a href="https://x.example/?q=', '&amp;r=1">go</a>'],
      ['<img src="https://x.example/', '.png">'],
      ['<td background="https://x.example/', '">'],
      ['<img srcset="https://x.example/1.png 1x, https://x.example/', ' 2x">'],
    ] as const) {
      expect(html(`${before}{{x}}${after}`, x)).toBe(`${before}${encoded}${after}`);
    }
  });

  it('extends no host in a list of pictures or a style', () => {
    for (const htmlBody of [
      '<img srcset="https://x.example/1.png 1x, https://x.example{{x}} 2x">',
      '<p style="background: url(https://x.example{{x}})">',
      '<!--[if mso]><a href="https://x.example{{x}}">go</a><![endif]-->',
    ]) {
      const rendered = (x: string) => renderTemplate({ ...none, variables: {}, htmlBody }, { x });
      expect(rendered('.evil.example')).toMatchObject({ kind: 'unfit', why: 'URL_UNSAFE' });
      expect(rendered('/a.png')).toMatchObject({ kind: 'rendered' });
    }
  });

  it('is encoded in the comments that some mail programs read', () => {
    const given = '<!--[if mso]><a href="https://x.example/?q={{x}}">go</a><![endif]-->';
    expect(html(given, 'a b')).toContain('q=a&#37;20b"');
  });

  it('is encoded in a picture that a style names', () => {
    expect(html('<p style="background: url(https://x.example/{{x}}.png)">', 'a b')).toBe(
      '<p style="background: url(https://x.example/a%20b.png)">',
    );
  });

  it('is the link itself where it stands alone, and is shown as it is in text', () => {
    const url = 'https://x.example/?a=1&b=2';
    expect(html('<a href="{{x}}">{{x}}</a>', url)).toBe(
      '<a href="https://x.example/?a=1&amp;b=2">https://x.example/?a=1&amp;b=2</a>',
    );
    expect(html('<p title="{{x}}">{{x}}</p>', 'a b & c')).toBe('<p title="a b &amp; c">a b &amp; c</p>');
  });
});
