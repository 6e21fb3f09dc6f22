import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkTemplate } from '../../src/domains/notifications/templates/check.js';
import { compileHtml, findHtmlFaults } from '../../src/domains/notifications/templates/fill.js';
import { templates, values } from './html-pieces.js';
import { childrenOf, shapeOf, tagsOf, textsOf } from './html-tree.js';

/** What a template becomes with these values; null where it, or one of them, is refused. */
function filled(html: string, x: string, y: string): string | null {
  if (findHtmlFaults(html).faults.length > 0) return null;
  const result = compileHtml(html, (name) => (name === 'x' ? 0 : 1))([x, y]);
  return result.ok ? result.text : null;
}

/** Parsers distinguish three kinds of text: none, blanks, and any other. */
const ofKind = (text: string): string => (text === '' ? '' : /^[\t\n\f\r ]*$/.test(text) ? ' ' : 'x');

describe('whatever a template and its values are', () => {
  it('elements, attribute names and comments stay those of the template', () => {
    let accepted = 0;
    const holds = fc.property(templates, values, values, (html, x, y) => {
      const text = filled(html, x, y);
      if (text === null || !html.includes('{{')) return;
      accepted += 1;
      const plain = html.replaceAll('{{x}}', ofKind(x)).replaceAll('{{y}}', ofKind(y));
      expect(shapeOf(text)).toBe(shapeOf(plain));
      expect(tagsOf(text)).toBe(tagsOf(html.replaceAll('{{x}}', 'x').replaceAll('{{y}}', 'x')));
    });
    fc.assert(holds, { numRuns: 5_000 });
    expect(accepted).toBeGreaterThan(300);
  });
});

describe('a template is refused', () => {
  it.each([
    ['an attribute without quotes', '<a href={{x}}>'],
    ['an attribute of an unknown name', '<p {{x}}="a">'],
    ['a tag of an unknown name', '<{{x}}>'],
    ['the end of one', '<p></p{{x}}>'],
    ['a tag that does not end', '<a href="{{x}}'],
    ['a script', '<script>let a = "{{x}}"</script>'],
    ['a style sheet', '<style>p { color: {{x}} }</style>'],
    ['an event', '<p onclick="f(\'{{x}}\')">'],
    ['a document in an attribute', '<iframe srcdoc="{{x}}">'],
    ['what only some read as HTML', '<noscript>{{x}}</noscript>'],
    ['the dashes of a comment', '<!-- a --{{x}}> b -->'],
    ['the beginning of a comment', '<!--{{x}}> b -->'],
    ['what is no comment but read as one', '<!{{x}}-- > -->'],
    ['the name of a character', '<p>&{{x}};</p>'],
    ['the name of a character in a link', '<a href="javascript&{{x}};alert(1)">'],
  ])('with a placeholder in %s', (_, html) => {
    expect(findHtmlFaults(html).faults).not.toEqual([]);
    expect(compileHtml(html, () => 0)(['a'])).toEqual({ ok: false, unfit: 'HTML_UNSAFE' });
  });

  it.each([
    '<select><title><option title="</title> {{x}} ">',
    '<frameset><title><frame title="</title> {{x}} ">',
    '<select><svg><![CDATA[ > <option title=" ]]><b> {{x}} ">',
    '<svg></p><style><b title="</style><i title="></style> {{x}} ">',
    '<table><tr><td><svg></td><td><style><b title="</style><i title="></style> {{x}} ">',
  ])('where tokens and tree differ: %s', (html) => {
    const [plain, hostile] = ['x', '" z="'].map((x) => shapeOf(html.replaceAll('{{x}}', x)));
    expect(hostile).not.toBe(plain);
    expect(findHtmlFaults(html).faults).toHaveLength(1);
  });

  it('not for what stands where there is no placeholder', () => {
    const html = '<style>p > b { color: red }</style><p id=a onclick="f()">{{x}}<br><!-- a --></p>';
    expect(findHtmlFaults(html)).toEqual({ faults: [], badLinks: [] });
    expect(findHtmlFaults('<script>a < b</script><p id=a>&')).toEqual({ faults: [], badLinks: [] });
  });
});

describe('a value', () => {
  const fill = (html: string, x: string) => compileHtml(html, () => 0)([x]);
  const text = (html: string, x: string): string => {
    const result = fill(html, x);
    if (!result.ok) throw new Error(result.unfit);
    return result.text;
  };

  it('is read as it was given, in text, attributes and what is meant for one mail program', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (x) => {
        const value = x.replaceAll('\0', '').replaceAll('\r', '');
        const html = '<p title="{{x}}">a{{x}}</p><!--[if mso]><p title="{{x}}">a{{x}}</p><![endif]-->';
        const [paragraph, comment] = childrenOf(text(html, value));
        expect(textsOf([paragraph!])).toEqual([value, `a${value}`]);
        expect(textsOf(childrenOf((comment as { data: string }).data).slice(1, 2))).toEqual([
          value,
          `a${value}`,
        ]);
      }),
    );
  });

  it.each([
    'red; background: url(//evil)',
    'url(//evil)',
    'a}b{',
    '\\',
    '"',
    'expression(1)',
    '/*',
    'javascript:x',
  ])('ends no declaration of a style and calls nothing: %s', (x) => {
    expect(fill('<p style="color: {{x}}">', x)).toEqual({ ok: false, unfit: 'HTML_UNSAFE' });
  });

  it.each(['red', '#1a2B3c', '12.5px', 'calc', 'https://example.com/a.png?b=c', ''])(
    'may be a style: %s',
    (x) => {
      expect(text('<p style="a: {{x}}">', x)).toBe(`<p style="a: ${x}">`);
    },
  );

  it.each([
    ['<a href="{{x}}script:alert(1)">', 'java'],
    ['<a href="&#106;ava{{x}}:alert(1)">', 'script'],
    ['<a href="ja{{x}}script:alert(1)">', 'va\t'],
    ['<!--[if mso]><v:roundrect href="{{x}}"><![endif]-->', 'javascript:x'],
    ['<svg><a xlink:href="{{x}}">', 'javascript:x'],
  ])('makes no link that runs together with what is around it: %s', (html, x) => {
    expect(fill(html, x)).toEqual({ ok: false, unfit: 'URL_UNSAFE' });
  });
});

describe('taking a template apart', () => {
  it.each([
    ['a style', `<a style="${'url('.repeat(10_000)})${'{{a}}'.repeat(200)}">x</a>`],
    ['an open style', `<a style="${'url('.repeat(10_000)}${'{{a}}'.repeat(200)}">x</a>`],
    ['a link', `<a href="https://e.example/${'{{a}}/'.repeat(200)}${'x'.repeat(90_000)}">x</a>`],
    ['a list of links', `<img srcset="${'x'.repeat(50_000)},${'{{a}}'.repeat(200)}">`],
  ])('with %s that is long takes no second of work', (_, html) => {
    const begun = process.cpuUsage();
    findHtmlFaults(html);
    compileHtml(html, () => 0);
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(1_000);
  });
});

describe('a field of a template', () => {
  const draft = { notificationType: 't', channel: 'email', language: 'en', activate: false } as const;
  const codes = (count: number) => {
    const text = '{{a}}'.repeat(count);
    return checkTemplate({ ...draft, body: text, htmlBody: `<p>${text}</p>`, actionUrl: `/${text}` });
  };

  it('has at most 200 placeholders', () => {
    expect(codes(200)).toEqual([]);
    expect(codes(201)).toMatchObject([
      { code: 'TEXT_INVALID', path: ['input', 'body'] },
      { code: 'TEXT_INVALID', path: ['input', 'htmlBody'] },
      { code: 'TEXT_INVALID', path: ['input', 'actionUrl'] },
    ]);
  });
});
