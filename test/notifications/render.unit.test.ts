import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  languageChain,
  renderTemplate,
  type TemplateText,
  type Variables,
} from '../../src/domains/notifications/templates/render.js';

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

describe('rendering', () => {
  it('fills placeholders, and renders one without a value as nothing', () => {
    expect(bodyOf('Hi {{name}}{{rest}}, {{n}} new', { name: 'Ann', n: 3 })).toBe('Hi Ann, 3 new');
  });

  it('escapes &, < and > in values, and nothing in the template', () => {
    expect(bodyOf('<b>&</b> {{x}}', { x: `<i a="'">&` })).toBe(`<b>&</b> &lt;i a="'"&gt;&amp;`);
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

  it('leaves no raw <, > or bare & of a value', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(bodyOf('{{x}}', { x: value }).replace(/&(amp|lt|gt);/g, '')).not.toMatch(/[<>&]/);
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
