import { describe, expect, it } from 'vitest';
import { renderTemplate } from '../../src/domains/notifications/templates/render.js';
import { bodyOf, contentOf, faultsOf, htmlOf, liquid, unfit } from './liquid-world.js';

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
