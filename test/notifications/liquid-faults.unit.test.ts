import { describe, expect, it } from 'vitest';
import { checkTemplate, type TemplateDraft } from '../../src/domains/notifications/templates/check.js';
import { compileLiquid } from '../../src/domains/notifications/templates/liquid/compile.js';
import { renderTemplate } from '../../src/domains/notifications/templates/render.js';
import { cpuTimeOf } from '../support/cpu-time.js';
import { faultsOf, liquid, unfit } from './liquid-world.js';

describe('what is wrong with a Liquid text is said with its line and column', () => {
  it.each([
    ['a\nb {% if n > %}{% endif %}', 'a value is expected beside > (line 2, column 11)'],
    ['{% if n %}', 'if does not end: endif is missing (line 1, column 1)'],
    ['{% for a in b %}\n\n  {% endif %}', 'endif does not belong into for (line 3, column 3)'],
    ['{% endfor %}', 'there is nothing that endfor could belong to (line 1, column 1)'],
    ['{{ a | upcas }}', 'There is no filter upcas: there are upcase'],
    ['{{ a | escape }}', 'values are escaped for their place already (line 1, column 8)'],
    ['{{ a | raw }}', 'values are always escaped for their place'],
    ['{{ a | join: 1, 2, 3 }}', 'join takes 0 to 1 arguments (line 1, column 8)'],
    ['{{ a | date: "%Q" }}', 'date knows no %Q'],
    ['{{ a | date: b }}', 'date takes one format, in quotes'],
    ['{{ a b }}', 'an operator is expected between two values (line 1, column 4)'],
    ['{% if a b %}{% endif %}', 'an operator is expected between two values (line 1, column 7)'],
    ['{{ }}', 'invalid value expression'],
    ['{{ a', 'not closed (line 1, column 1)'],
    ['{% assign a = 1 %}', 'There is no tag assign: there are if, unless, case, for, render and comment'],
    ['{% raw %}{% endraw %}', 'There is no tag raw'],
    ['{% include "a" %}', 'There is no tag include'],
    ['{% for item items %}{% endfor %}', 'a for is written like {% for item in items %}'],
    ['{% for i in items cols: 3 %}{% endfor %}', 'a for takes limit, offset and reversed, and no cols'],
    ['{% case a %}x{% when 1 %}{% endcase %}', 'between case and the first when there is nothing'],
    ['{{ forloop.index }}{% for i in a %}{{ forloop.parent }}{% endfor %}', 'forloop has index, index0'],
    ['{% render "none" %}', 'there is no active partial none for this field (line 1, column 1)'],
    ['{% render name %}', 'a partial is named in quotes, like {% render "footer" %}'],
    ['{% for i in (1..1000000000) %}{% endfor %}', 'a loop runs at most 1000 times (line 1, column 13)'],
  ])('%s', (body, fault) => {
    expect(faultsOf({ body })).toEqual([expect.stringContaining(fault)]);
    expect(unfit({ body })).toMatchObject({ kind: 'unfit', why: 'TEMPLATE_SYNTAX' });
  });

  it.each([
    ['brackets', `{{ a${'['.repeat(50_000)} }}`, 'TEMPLATE_SYNTAX'],
    [
      'tags',
      '{% if a %}'.repeat(9) + '{% endif %}'.repeat(9),
      'tags are nested at most 8 deep (line 1, column 81)',
    ],
    ['outputs', '{{ a }}'.repeat(401), 'a text has at most 400 outputs and tags'],
  ])('where there are too many %s', (_, body, fault) => {
    expect(faultsOf({ body })).toEqual([expect.stringContaining(fault)]);
  });

  it('where its partials have too many characters together', () => {
    const find = () => '<p>text</p>'.repeat(9_000);
    const faultsOfTimes = (times: number) =>
      compileLiquid('html', '{% render "footer" %}'.repeat(times), () => 0, find).faults;
    expect(faultsOfTimes(4)).toEqual([]);
    let faults: ReturnType<typeof faultsOfTimes> = [];
    expect(cpuTimeOf(() => (faults = faultsOfTimes(390)))).toBeLessThan(500);
    expect(faults).toEqual([
      { code: 'TEMPLATE_SYNTAX', message: expect.stringContaining('at most 400000 characters') },
    ]);
  });

  it('in plain templates nothing is, and nothing is a tag', () => {
    expect(faultsOf({ body: '{% if %}{{ x | y }}{{{', syntax: 'PLAIN' })).toEqual([]);
    expect(faultsOf({ body: 'b', syntax: 'PLAIN', variables: { a: { type: 'list' } } })).toEqual([
      'VARIABLES_INVALID: only templates of the syntax LIQUID have variables of the type list',
    ]);
    expect(
      faultsOf({
        variables: { a: { type: 'list', default: [{ a: 1 }] }, b: { type: 'boolean', default: false } },
      }),
    ).toEqual([]);
    expect(
      faultsOf({ variables: { a: { type: 'list', default: [[1]] }, b: { type: 'object', default: [] } } }),
    ).toHaveLength(2);
  });
});

describe('a Liquid template that would take too long', () => {
  const list = Array.from({ length: 100 }, (_, n) => ({ n, text: 'x'.repeat(500) }));
  const long = 'y'.repeat(64_000);
  const nested = (body: string) =>
    `{% for a in list %}{% for b in list %}{% for c in list %}${body}{% endfor %}{% endfor %}{% endfor %}`;

  it.each([
    ['loops within loops', nested('{% if c.n == 1000 %}x{% endif %}')],
    ['empty loops within loops', nested('')],
    ['a range that a value makes', '{% for i in (1..n) %}{% endfor %}'],
    [
      'a range that goes past whole numbers',
      '{% for i in (1..1e400) %}{% for j in (1..n) %}{% endfor %}{% endfor %}x{% for i in (0..n) %}{% endfor %}',
    ],
    ['comparisons of long texts', nested('{% if long contains "z" or long == other %}x{% endif %}')],
    [
      'filters on long texts',
      nested('{{ long | upcase | downcase | strip | size | times: 0 | default: "" | first }}'),
    ],
    ['dates', nested('{{ c.n | date: "%c %x %X %B" | truncate: 0, "" }}')],
    ['values of a when', nested(`{% case c.n %}{% when ${'-1, '.repeat(9_000)} -2 %}x{% endcase %}`)],
    ['parameters of a partial', nested(`{% render "empty" ${', a: 1'.repeat(9_000)} %}`)],
  ])('is stopped after some milliseconds, with a code: %s', (_, body) => {
    const partials = new Map([['empty', { body: '', htmlBody: null }]]);
    const template = liquid({ body, partials });
    const given = { list, long, other: `${long.slice(1)}z`, n: 1e9 };
    renderTemplate(template, given);
    let rendering: unknown;
    const spent = cpuTimeOf(() => {
      rendering = renderTemplate(template, given);
    });
    expect(rendering).toMatchObject({ kind: 'unfit', field: 'body' });
    expect(['TEMPLATE_LIMIT', 'TEXT_TOO_LONG']).toContain((rendering as { why: string }).why);
    expect(spent).toBeLessThan(100);
  });

  it('makes no text longer than 100,000 characters', () => {
    const body = '{% for a in list %}{{ long }}{% endfor %}';
    expect(unfit({ body }, { list, long })).toMatchObject({ why: 'TEXT_TOO_LONG' });
    const htmlBody = '<a href="{% for a in list %}{{ long }}{% endfor %}">';
    expect(unfit({ htmlBody }, { list, long })).toMatchObject({ why: 'TEXT_TOO_LONG' });
  });

  it.each([
    ['tags that do not end', '{% if a %}'.repeat(10_000)],
    ['brackets', `{{ a${'[a'.repeat(40_000)} }}`],
    ['quotes', `{{ ${'"'.repeat(99_000)} }}`],
    ['terms', `{% if ${'a and '.repeat(15_000)} a %}{% endif %}`],
    ['filters', `{{ a ${'| upcase '.repeat(10_000)} }}`],
  ])('takes no second to be refused: %s', (_, body) => {
    expect(cpuTimeOf(() => expect(faultsOf({ body })).not.toEqual([]))).toBeLessThan(1_000);
  });
});

describe('a partial', () => {
  const partials = new Map([
    [
      'footer',
      { body: '-- {{ shop }}{{ name }}', htmlBody: '<p title="{{ shop }}">{{ shop }}{{ name }}</p>' },
    ],
    ['outer', { body: '{% render "footer", shop: of %}', htmlBody: null }],
    ['loop', { body: '{% render "loop" %}', htmlBody: '{% render "other" %}' }],
    ['other', { body: '', htmlBody: '\n{% render "loop" %}' }],
    ['open', { body: '{% if %}', htmlBody: '<p title="' }],
  ]);
  const render = (own: object, given = {}) => renderTemplate(liquid({ partials, ...own }), given);

  it('knows what it is called with, and nothing else; its values are escaped for its place', () => {
    const body = '{{ name }} {% render "footer", shop: name %}';
    expect(render({ body }, { name: 'Ann', shop: 'no' })).toMatchObject({ content: { body: 'Ann -- Ann' } });
    const htmlBody = '{% for s in list %}{% render "footer", shop: s.n %}{% endfor %}';
    expect(render({ htmlBody }, { list: [{ n: '"<' }] })).toMatchObject({
      content: { htmlBody: '<p title="&quot;&lt;">"&lt;</p>' },
    });
    expect(render({ body: '{% render "outer", of: 1 %}' })).toMatchObject({ content: { body: '-- 1' } });
  });

  it('is refused where it renders itself, is missing for the field, or does not fit', () => {
    const faults = (own: Partial<TemplateDraft>) =>
      checkTemplate({ ...draft, ...own }, ['input'], partials).map(({ message }) => message);
    const draft = {
      notificationType: 'T',
      channel: 'email',
      language: 'en',
      body: 'b',
      syntax: 'LIQUID',
      activate: false,
    } as const;
    expect(faults({ body: '{% render "loop" %}' })).toEqual([
      'partial loop renders itself (partial loop, line 1, column 1)',
    ]);
    expect(faults({ htmlBody: '{% render "loop" %}' })).toEqual([
      'partial loop renders itself (partial other, line 2, column 1)',
    ]);
    expect(faults({ htmlBody: '{% render "outer" %}' })).toEqual([
      'there is no active partial outer for this field (line 1, column 1)',
    ]);
    expect(faults({ body: '{% render "open" %}' })[0]).toContain('(partial open, line 1, column');
    expect(faults({ htmlBody: '{% render "open" %}{{ x }}">' })[0]).toContain('must stand in one attribute');
    expect(render({ htmlBody: '{% render "open" %}{{ x }}">' })).toMatchObject({ why: 'HTML_UNSAFE' });
  });
});
