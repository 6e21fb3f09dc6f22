import fc from 'fast-check';
import { Liquid } from 'liquidjs';
import { describe, expect, it } from 'vitest';
import { checkTemplate } from '../../src/domains/notifications/templates/check.js';
import { renderTemplate } from '../../src/domains/notifications/templates/render.js';
import { templates as plainTemplates, values } from './html-pieces.js';
import { shapeOf, tagsOf } from './html-tree.js';
import { liquid, plain } from './liquid-world.js';

/** Tags where they belong, and where they do not. */
const odd = fc.constantFrom(
  ...[
    '{% if a %}',
    '{% else %}',
    '{% endif %}',
    '{% for i in items %}',
    '{% endfor %}',
    '{% unless b %}',
    '{% endunless %}',
  ],
  ...[
    '<p title="{% if a %}a{{x}}{% else %}{{y}}{% endif %}">',
    '<a href="{% if a %}https://e.example/{% endif %}{{x}}">',
  ],
  ...[
    '<a href="https://e.example{% for i in items %}/{{i.t}}{% endfor %}?q={{x}}">',
    '<p style="{% if a %}color: {% endif %}{{x}}">',
  ],
  ...[
    '<img srcset="{% for i in items %}https://e.example/{{i.t}} {{forloop.index}}x, {% endfor %}">',
    '<a href="{{i.t}}">{{i.t}}</a>',
  ],
  ...[
    '<title>{% if a %}{{x}}{% endif %}</title>',
    '<!-- {% if a %} -->',
    '<p {% if a %}id="{{x}}"{% endif %}>',
    '{% comment %}<p>{% endcomment %}',
  ],
  ...[
    '<a href="{% if a %}java{% endif %}{% if b %}script:{% endif %}{{x}}">',
    '<a href="&#104;ttps://{% if a %}e.{% endif %}example{{x}}">',
  ],
  ...[
    '{{i.t}}',
    '<b title="{{i.t}}">',
    "<b title='{% if a %}&quot;{{i.t}}{% endif %}'>",
    '{%- if b -%} ',
    '{% if a %}<svg>{% endif %}',
  ],
);

/** Such as are mostly accepted. */
const sound = fc.constantFrom(
  ...[
    '{{x}}',
    '{{y}}',
    '{{i.t}}',
    'text',
    ' ',
    '<b>',
    '</b>',
    '<td>',
    '</td>',
    '<svg>',
    '</svg>',
    '<br title="{{x}}">',
    '<select>',
    '<table>',
  ],
  ...[
    '<a href="{{i.t}}">{{y}}</a>',
    '<!--[if mso]><p title="{{x}}">{{i.t}}<![endif]-->',
    '<style>p {}</style>',
    '<title>{{y}}</title>',
  ],
  ...[
    '<p title="{% if a %}a{{x}}{% else %}{{y}}{% endif %}">',
    '<a href="{% if a %}https://e.example/{% endif %}{{x}}">',
    '{% if b %}<i>{% else %}<u>{% endif %}',
  ],
  ...[
    '<img srcset="{% for i in items %}https://e.example/{{i.t}} {{forloop.index}}x, {% endfor %}">',
    '<option>',
    '<textarea>{% if a %}{{x}}{% endif %}</textarea>',
  ],
);
const sounds = fc.array(sound, { maxLength: 4 }).map((some) => some.join(''));

const { html } = fc.letrec<{ html: string }>((tie) => ({
  html: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    sounds,
    sounds,
    fc.tuple(plainTemplates, odd, plainTemplates).map((some) => some.join('')),
    fc.array(odd, { maxLength: 5 }).map((some) => some.join('')),
    fc.tuple(tie('html'), tie('html')).map(([one, other]) => one + other),
    fc.tuple(tie('html'), tie('html')).map(([one, other]) => `{% if a %}${one}{% else %}${other}{% endif %}`),
    fc
      .tuple(tie('html'), tie('html'))
      .map(([one, other]) => `<b>{% for i in items %}${one}{{i.t}}{% endfor %}${other}</b>`),
  ),
}));

const data = fc.record({
  a: fc.boolean(),
  b: fc.boolean(),
  x: values,
  y: values,
  i: fc.record({ t: values }),
  items: fc.array(fc.record({ t: values }), { maxLength: 2 }),
});
type Data = typeof data extends fc.Arbitrary<infer T> ? T : never;

const standard = new Liquid({ ownPropertyOnly: true });

/** The plain template that stands on the way which these values lead through the tags, and its values. */
function plainOf(text: string, { a, b, x, y, i, items }: Data) {
  const names = items.map((_, n) => ({ t: `{{t${n}}}` }));
  const htmlBody = standard.parseAndRenderSync(text, {
    a,
    b,
    x: '{{x}}',
    y: '{{y}}',
    i: { t: '{{i}}' },
    items: names,
  });
  const given = Object.fromEntries([
    ['x', x],
    ['y', y],
    ['i', i.t],
    ...items.map(({ t }, n) => [`t${n}`, t]),
  ]);
  return { htmlBody, given };
}

/**
 * Harmless texts in the place of others. Parsers distinguish three kinds of text: none, blanks, and any other; and of `<b>`s that
 * nobody closes they open no more than three anew that have the same attributes, so what differs stays different.
 */
function createKinds(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    if (/^[\t\n\f\r ]*$/.test(text)) return text === '' ? '' : ' ';
    const kind = known.get(text) ?? `x${known.size}`;
    known.set(text, kind);
    return kind;
  };
}

const isAccepted = (htmlBody: string): boolean =>
  checkTemplate({
    notificationType: 'T',
    channel: 'email',
    language: 'en',
    body: 'b',
    htmlBody,
    syntax: 'LIQUID',
    activate: false,
  }).length === 0;

describe('whatever a Liquid template and its values are', () => {
  it('its HTML is that of the plain template which stands on its way through the tags', () => {
    let accepted = 0;
    let written = 0;
    const holds = fc.property(html, data, (text, given) => {
      if (!text.includes('{%') || !isAccepted(text)) return;
      accepted += 1;
      const way = plainOf(text, given);
      const expected = renderTemplate(plain({ htmlBody: way.htmlBody }), way.given);
      const rendered = renderTemplate(liquid({ htmlBody: text }), given);
      expect(rendered.kind).toBe(expected.kind);
      if (rendered.kind !== 'rendered' || expected.kind !== 'rendered') return;
      written += 1;
      expect(rendered.content).toEqual(expected.content);
    });
    fc.assert(holds, { numRuns: 6_000 });
    expect(accepted).toBeGreaterThan(500);
    expect(written).toBeGreaterThan(300);
  });

  it('elements, attribute names and comments are those of the template', () => {
    let written = 0;
    const holds = fc.property(html, data, (text, given) => {
      if (!text.includes('{%') || !isAccepted(text)) return;
      const rendered = renderTemplate(liquid({ htmlBody: text }), given);
      if (rendered.kind !== 'rendered') return;
      written += 1;
      const way = plainOf(text, given);
      const filledBy = (fill: (value: string) => string): string =>
        way.htmlBody.replaceAll(/\{\{(\w+)\}\}/g, (_: string, name: string) => fill(String(way.given[name])));
      expect(shapeOf(rendered.content.htmlBody!)).toBe(shapeOf(filledBy(createKinds())));
      expect(tagsOf(rendered.content.htmlBody!)).toBe(tagsOf(filledBy(() => 'x')));
    });
    fc.assert(holds, { numRuns: 6_000 });
    expect(written).toBeGreaterThan(300);
  });
});

describe('a plain template', () => {
  const pieces = fc.constantFrom(
    '{{x}}',
    '{{ x }}',
    '{{x | upcase}}',
    '{{{x}}}',
    '{% if x %}',
    '{% endif %}',
    '{{',
    '}}',
    '{%',
    // Between braces it makes no placeholder.
    'a-',
    '\n',
    '<',
    '&',
  );
  const texts = fc.array(pieces, { maxLength: 8 }).map((some) => some.join(''));

  it('has placeholders alone, whatever else looks like a tag', () => {
    fc.assert(
      fc.property(texts, values, (body, x) => {
        const expected = body.split('{{x}}').join(x);
        expect(renderTemplate(plain({ body }), { x })).toEqual({
          kind: 'rendered',
          content: { body: expected },
        });
        expect(renderTemplate({ ...plain({ body }), syntax: undefined }, { x })).toEqual({
          kind: 'rendered',
          content: { body: expected },
        });
      }),
    );
  });

  it('takes no list, object or truth value, and overlooks those that it does not name', () => {
    for (const x of [['a'], { a: 1 }, true, []]) {
      expect(renderTemplate(plain({ body: '{{x}}' }), { x })).toEqual({ kind: 'unwritable', variable: 'x' });
      expect(
        renderTemplate(plain({ body: '-', variables: { x: { type: 'string', required: false } } }), { x }),
      ).toEqual({ kind: 'unwritable', variable: 'x' });
      expect(renderTemplate(plain({ body: '-' }), { x })).toMatchObject({ kind: 'rendered' });
    }
  });
});
