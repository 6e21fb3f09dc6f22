import { describe, expect, it } from 'vitest';
import { checkTemplate, type TemplateDraft } from '../../src/domains/notifications/templates/check.js';
import { renderTemplate } from '../../src/domains/notifications/templates/render.js';
import { cpuTimeOf } from '../support/cpu-time.js';
import { bodyOf, contentOf, htmlOf, liquid } from './liquid-world.js';

const faultsOf = (own: Partial<TemplateDraft>): string[] =>
  checkTemplate({
    notificationType: 'T',
    channel: 'email',
    language: 'en',
    body: 'b',
    syntax: 'LIQUID',
    activate: false,
    ...own,
  }).map(({ code, message }) => `${code}: ${message}`);
const unfit = (own: Parameters<typeof liquid>[0], given = {}) => renderTemplate(liquid(own), given);

const items = [
  { title: 'Mug', price: 12.5 },
  { title: 'Pot', price: 30 },
];

describe('a Liquid text', () => {
  it('has conditions', () => {
    const body = '{% if n > 2 and name != blank %}many{% elsif n == 1 %}one{% else %}none{% endif %}';
    expect([3, 1, 0].map((n) => bodyOf(body, { n, name: 'x' }))).toEqual(['many', 'one', 'none']);
    expect(bodyOf('{% unless ok %}no{% else %}yes{% endunless %}', { ok: true })).toBe('yes');
    const plan = '{% case plan %}{% when "pro", "team" %}paid{% when nil %}?{% else %}free{% endcase %}';
    expect([{ plan: 'team' }, {}, { plan: 'x' }].map((given) => bodyOf(plan, given))).toEqual([
      'paid',
      '?',
      'free',
    ]);
  });

  it('has loops, over lists and ranges, with their counters, a limit and an offset', () => {
    const body =
      '{% for item in items %}{{ forloop.index }}/{{ forloop.length }} {{ item.title }}{% unless forloop.last %}, {% endunless %}{% else %}nothing{% endfor %}';
    expect(bodyOf(body, { items })).toBe('1/2 Mug, 2/2 Pot');
    expect(bodyOf(body, { items: [] })).toBe('nothing');
    expect(bodyOf(body)).toBe('nothing');
    const some = '{% for w in words limit: 2 offset: 1 reversed %}{{ w }}{% endfor %}';
    expect(bodyOf(some, { words: ['a', 'b', 'c', 'd'] })).toBe('cb');
    expect(bodyOf('{% for i in (1..stars) %}*{% endfor %}', { stars: 3 })).toBe('***');
    expect(bodyOf('{{ items[1].title }} {{ items.first.price }} {{ items.size }}', { items })).toBe(
      'Pot 12.5 2',
    );
  });

  it('has filters', () => {
    const given = { s: ' Tom ', n: 2, words: ['a', 'b'] };
    expect(bodyOf('{{ s | strip | upcase }} {{ words | join: "-" }} {{ no | default: s }}', given)).toBe(
      'TOM a-b  Tom ',
    );
    expect(bodyOf('{{ n | times: 1.5 | plus: n | minus: 1 }} {{ "abcdef" | truncate: 4, "…" }}', given)).toBe(
      '4 abc…',
    );
    expect(bodyOf('{{ 0 | pluralize: "item", "items" }} {{ 1 | pluralize: "item", "items" }}')).toBe(
      'items item',
    );
    expect(bodyOf('{{ 1 | divided_by: 0 }} {{ 2.345 | round: 2 }} {{ "x" | plus: 1 }}')).toBe('0 2.35 1');
  });

  it('writes dates in the zone of its reader, and in the language of its text', () => {
    const body = '{{ at | date: "%A, %-d. %B %Y, %H:%M" }}';
    const of = (at: string | number, timeZone = 'UTC', locale = 'en') =>
      contentOf(renderTemplate(liquid({ body }), { at }, { timeZone, locale })).body;
    expect(of('2026-11-26T23:30:00Z')).toBe('Thursday, 26. November 2026, 23:30');
    expect(of('2026-11-26T23:30:00Z', 'Europe/Berlin', 'de')).toBe('Freitag, 27. November 2026, 00:30');
    expect(of('2026-11-26T23:30:00-05:00', 'Asia/Kolkata', 'pt-BR')).toBe(
      'sexta-feira, 27. novembro 2026, 10:00',
    );
    expect(of(0)).toBe('Thursday, 1. January 1970, 00:00');
    // A day is the same day in every zone.
    expect(of('2026-12-24', 'America/Los_Angeles')).toBe('Thursday, 24. December 2026, 00:00');
    expect(of('soon')).toBe('soon');
    expect(of('2026-13-45')).toBe('2026-13-45');
  });

  it('leaves out comments, and blanks where a tag says so', () => {
    expect(
      bodyOf('a {%- if true -%} b {%- endif %}{% comment %}{{ c }}{% if %}{% endcomment %}{% # d %}'),
    ).toBe('ab');
  });

  it('renders values as they are, and never again', () => {
    expect(
      bodyOf('{{ a }}{{ list }}{{ yes }}', { a: '{{ b }}{% if %}', b: 'x', list: ['<', 1], yes: true }),
    ).toBe('{{ b }}{% if %}<1true');
  });

  it('reaches nothing of JavaScript', () => {
    const names = [
      'constructor',
      '__proto__',
      'toString',
      'valueOf',
      'length',
      'hasOwnProperty',
      'at',
      'map',
    ];
    for (const name of names) {
      for (const root of ['list', 'object', 'text', name]) {
        expect(
          bodyOf(`{{ ${root}.${name} }}{{ ${root}["${name}"] }}`, {
            list: ['a'],
            object: { a: 1 },
            text: 't',
          }),
        ).toBe('');
      }
    }
    expect(bodyOf('{{ constructor }}{{ __proto__ }}')).toBe('');
    for (const name of names) {
      expect(faultsOf({ body: `{{ 1 | ${name} }}` })[0]).toContain(
        `TEMPLATE_SYNTAX: There is no filter ${name}`,
      );
      expect(faultsOf({ body: `{% ${name} %}` })[0]).toContain(`TEMPLATE_SYNTAX: There is no tag ${name}`);
    }
  });

  it('has links whose values are encoded, on each way through its tags', () => {
    const actionUrl =
      '{% if web %}https://e.example/{% else %}app://{% endif %}o/{{ id }}{% if q %}?q={{ q }}{% endif %}';
    const of = (given: object) => contentOf(renderTemplate(liquid({ actionUrl }), given as never)).actionUrl;
    expect(of({ web: true, id: 'a/b', q: 'x&y' })).toBe('https://e.example/o/a%2Fb?q=x%26y');
    expect(of({ id: 'a/b' })).toBe('app://o/a%2Fb');
    const lead = liquid({ actionUrl: '{% if web %}https://e.example{% endif %}{{ rest }}' });
    const rendered = (given: object) => renderTemplate(lead, given as never);
    expect(rendered({ web: true, rest: '.evil.example' })).toMatchObject({
      kind: 'unfit',
      why: 'URL_UNSAFE',
    });
    expect(rendered({ rest: 'javascript:alert(1)' })).toMatchObject({ kind: 'unfit', why: 'URL_UNSAFE' });
    expect(rendered({ web: true, rest: '/a' })).toMatchObject({
      content: { actionUrl: 'https://e.example/a' },
    });
  });

  it('breaks no line of a title', () => {
    const title = '{% for w in words %}{{ w }}\n{% endfor %}';
    const { content } = renderTemplate(liquid({ title }), { words: ['a\r\nb', 'c'] }) as never as {
      content: object;
    };
    expect(content).toMatchObject({ title: 'a b c ' });
  });
});

describe('HTML in Liquid', () => {
  it('escapes each value for its place: text, attribute, link, in loops and branches too', () => {
    const html =
      '<ul>{% for item in items %}<li title="{{ item.t }}">{% if item.url %}<a href="https://e.example/{{ item.url }}">{{ item.t }}</a>{% else %}{{ item.t }}{% endif %}</li>{% endfor %}</ul>';
    const t = `"<b>&'`;
    expect(htmlOf(html, { items: [{ t, url: 'a b"' }, { t }] })).toBe(
      `<ul><li title="&quot;&lt;b&gt;&amp;&#39;"><a href="https://e.example/a%20b%22">"&lt;b&gt;&amp;'</a></li>` +
        `<li title="&quot;&lt;b&gt;&amp;&#39;">"&lt;b&gt;&amp;'</li></ul>`,
    );
  });

  it('may have tags within one attribute', () => {
    const html = `<a class="a{% if big %} big{% endif %}" href="{% if web %}https://e.example/?q={{ q }}{% else %}{{ url }}{% endif %}">x</a>`;
    expect(htmlOf(html, { big: true, web: true, q: 'a&b"' })).toBe(
      '<a class="a big" href="https://e.example/?q=a%26b%22">x</a>',
    );
    expect(htmlOf(html, { url: 'https://f.example/?a=1&b=2' })).toBe(
      '<a class="a" href="https://f.example/?a=1&amp;b=2">x</a>',
    );
    expect(unfit({ htmlBody: html }, { url: 'javascript:alert(1)' })).toMatchObject({ why: 'URL_UNSAFE' });
    const style = '<p style="{% if c %}color: {{ c }}{% endif %}">';
    expect(htmlOf(style, { c: 'red' })).toBe('<p style="color: red">');
    expect(unfit({ htmlBody: style }, { c: 'red; background: url(//evil)' })).toMatchObject({
      why: 'HTML_UNSAFE',
    });
  });

  it('may open an element in each branch, since a value has the same place behind both', () => {
    const html = '{% if a %}<td class="x">{% else %}<td>{% endif %}{{ v }}</td>';
    expect(htmlOf(html, { a: true, v: '<' })).toBe('<td class="x">&lt;</td>');
  });

  it.each([
    [
      '<p {% if a %}class="b"{% endif %}>',
      'HTML_UNSAFE: {% if a %} (line 1, column 4) may stand in text and in quoted attributes only',
    ],
    [
      '<{% if a %}p{% else %}b{% endif %}>',
      'HTML_UNSAFE: Write &lt; for the < in the text around {% if a %} (line 1, column 2)',
    ],
    [
      '{% if a %}<p title="{% endif %}x">',
      'TAG_MISPLACED: {% if a %} (line 1, column 1) and {% endif %} (line 1, column 21) must stand in one attribute, or both between tags of HTML',
    ],
    [
      '<p title="{% if a %}" id="{% endif %}">',
      'TAG_MISPLACED: {% if a %} (line 1, column 11) and {% endif %} (line 1, column 27) must stand in one attribute, or both between tags of HTML',
    ],
    ['<title>{% if a %}</title>{% endif %}', 'TAG_MISPLACED'],
    [
      '<!-- {% if a %} -->{% endif %}',
      'TAG_MISPLACED: {% if a %} (line 1, column 6) may not stand in a comment',
    ],
    ['<style>{% if a %}p {}{% endif %}</style>', 'HTML_UNSAFE'],
    ['<script>{{ a }}</script>', 'HTML_UNSAFE'],
    [
      '<p>\n&am{% if a %}{% endif %}p;</p>',
      'HTML_UNSAFE: Write &amp; for the & before {% if a %} (line 2, column 4)',
    ],
    ['<a href="{% if a %}javascript:{{ a }}{% endif %}">', 'URL_UNSAFE'],
  ])('is refused where a branch would change the place of what follows: %s', (htmlBody, fault) => {
    expect(faultsOf({ htmlBody })[0]).toContain(fault);
    expect(unfit({ htmlBody })).toMatchObject({ kind: 'unfit', field: 'htmlBody' });
  });
});

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
  ])('is stopped after some milliseconds, with a code: %s', (_, body) => {
    const template = liquid({ body });
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
