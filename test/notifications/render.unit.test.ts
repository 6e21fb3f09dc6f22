import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  languageChain,
  renderTemplate,
  type TemplateText,
  type Variables,
} from '../../src/domains/notifications/templates/render.js';
import { cpuTimeOf } from '../support/cpu-time.js';

const template = (own: Partial<TemplateText>): TemplateText => ({
  title: null,
  subject: null,
  body: '',
  htmlBody: null,
  imageUrl: null,
  actionUrl: null,
  variables: {},
  ...own,
});
const bodyOf = (body: string, given: Variables, own: Partial<TemplateText> = {}): string => {
  const rendering = renderTemplate(template({ body, ...own }), given);
  if (rendering.kind !== 'rendered') throw new Error(rendering.kind);
  return rendering.content.body;
};

const render = (own: Partial<TemplateText>, given: Variables) => renderTemplate(template(own), given);

describe('an attacker who chooses a value', () => {
  it('breaks no line of a title or subject', () => {
    const given = { x: 'Hi\r\nBcc: all@example.com\0\u2028\u0085end' };
    expect(render({ title: '{{x}}', subject: 'Re: {{x}}' }, given)).toMatchObject({
      content: { title: 'Hi Bcc: all@example.com end', subject: 'Re: Hi Bcc: all@example.com end' },
    });
  });

  it.each([
    'javascript:alert(1)',
    ' JaVa\tScRiPt:alert(1)',
    '\u200bvbscript:x',
    'data:text/html,<script>',
    'file:///etc/passwd',
  ])('makes no link of %j, alone or within HTML', (x) => {
    const link = { kind: 'unfit', why: 'URL_UNSAFE' };
    expect(render({ actionUrl: '{{x}}' }, { x })).toEqual({ ...link, field: 'actionUrl' });
    expect(render({ imageUrl: '{{x}}' }, { x })).toEqual({ ...link, field: 'imageUrl' });
    expect(render({ htmlBody: '<a class="b" href = "{{x}}">' }, { x })).toEqual({
      ...link,
      field: 'htmlBody',
    });
  });

  it('leaves app links, web links and text that only speaks of such alone', () => {
    for (const x of ['shop://orders/1', 'https://example.com/?q=javascript:', '/orders/1', '']) {
      expect(render({ actionUrl: '{{x}}', htmlBody: '<a href="{{x}}">' }, { x }).kind).toBe('rendered');
    }
    const x = 'javascript: what it is';
    expect(render({ body: '{{x}}', htmlBody: '<p title="{{x}}">{{x}}</p>' }, { x }).kind).toBe('rendered');
  });

  it('makes no text longer than 100,000 characters, and costs no time when a producer tries', () => {
    const body = '{{x}}'.repeat(20_000);
    const tooLong = { kind: 'unfit', field: 'body', why: 'TEXT_TOO_LONG' };
    const spent = cpuTimeOf(() => expect(render({ body }, { x: 'x'.repeat(65_000) })).toEqual(tooLong));
    expect(spent).toBeLessThan(500);
    expect(render({ body: '{{x}}' }, { x: 'x'.repeat(100_000) }).kind).toBe('rendered');
    const htmlTooLong = { ...tooLong, field: 'htmlBody' };
    expect(render({ htmlBody: '{{x}}' }, { x: '&'.repeat(100_000) })).toEqual(htmlTooLong);
  });
});

describe('rendering', () => {
  it('fills placeholders, and renders one without a value as nothing', () => {
    expect(bodyOf('Hi {{name}}{{rest}}, {{n}} new', { name: 'Ann', n: 3 })).toBe('Hi Ann, 3 new');
  });

  it('escapes &, < and > of values in HTML, and nothing of the template', () => {
    const htmlBody = '<b>&</b> {{x}}';
    expect(render({ htmlBody }, { x: `<i a="'">&` })).toMatchObject({
      content: { htmlBody: `<b>&</b> &lt;i a="'"&gt;&amp;` },
    });
  });

  it('gives values as they are where nothing is HTML: title, subject and plain text', () => {
    fc.assert(
      fc.property(fc.string(), (x) => {
        expect(bodyOf('{{x}} & <you>', { x })).toBe(`${x} & <you>`);
      }),
    );
    const x = `Tom & Jerry's <"best">`;
    expect(render({ title: '{{x}}', subject: '{{x}}', body: '{{x}}' }, { x })).toMatchObject({
      content: { title: x, subject: x, body: x },
    });
  });

  it('does not let a value end an attribute of html_body', () => {
    const rendering = renderTemplate(template({ body: '-', htmlBody: `<a href="{{url}}">{{url}}</a>` }), {
      url: `"onclick='x'`,
    });
    expect(rendering).toMatchObject({
      content: { htmlBody: `<a href="&quot;onclick=&#39;x&#39;">"onclick='x'</a>` },
    });
  });

  it('never renders a value again', () => {
    fc.assert(
      fc.property(fc.string(), (secret) => {
        expect(bodyOf('{{x}}', { x: '{{y}}', y: secret })).toBe('{{y}}');
      }),
    );
  });

  it('keeps text without placeholders as it is', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/\{\{\w+\}\}/.test(text)),
        (text) => {
          expect(bodyOf(text, { a: 'b' })).toBe(text);
        },
      ),
    );
  });

  it('leaves no raw <, > or bare & of a value in HTML', () => {
    fc.assert(
      fc.property(fc.string(), (x) => {
        const rendering = render({ htmlBody: '<p>{{x}}</p>' }, { x });
        if (rendering.kind !== 'rendered') throw new Error(rendering.kind);
        const text = rendering.content.htmlBody!.slice('<p>'.length, -'</p>'.length);
        expect(text.replace(/&(amp|lt|gt);/g, '')).not.toMatch(/[<>&]/);
      }),
    );
  });

  it('treats names of object members as any other name', () => {
    expect(bodyOf('{{constructor}}{{__proto__}}{{toString}}', {})).toBe('');
  });

  it('fills defaults, names the missing variable, and refuses another type', () => {
    const variables = {
      who: { type: 'string', required: true, default: 'friend' },
      n: { type: 'number', required: true },
    } as const;
    const text = template({ body: '{{who}} {{n}}', variables });
    expect(renderTemplate(text, { n: 0 })).toMatchObject({ content: { body: 'friend 0' } });
    expect(renderTemplate(text, {})).toEqual({ kind: 'missing', variable: 'n' });
    expect(renderTemplate(text, { n: '1' })).toEqual({ kind: 'mistyped', variable: 'n', expected: 'number' });
  });

  it('gives a field only where the template has it', () => {
    expect(renderTemplate(template({ body: 'b', title: 't' }), {})).toEqual({
      kind: 'rendered',
      content: { title: 't', body: 'b' },
    });
  });
});

it('languages are looked for from the region to the language to English', () => {
  expect(languageChain('pt-BR')).toEqual(['pt-BR', 'pt', 'en']);
  expect(languageChain('en')).toEqual(['en']);
  expect(languageChain(null)).toEqual(['en']);
});
