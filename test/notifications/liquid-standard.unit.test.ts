import fc from 'fast-check';
import { Liquid } from 'liquidjs';
import { expect, it } from 'vitest';
import { checkTemplate } from '../../src/domains/notifications/templates/check.js';
import { bodyOf } from './liquid-world.js';

const standard = new Liquid({ ownPropertyOnly: true });

const numbers = ['n', 'm', '2', '-1.5', 'item.n', 'forloop.index', 'items.size'];
const texts = ['s', '"b"', "'Tom'", 'item.s', 'words[0]', 'words.last', 'items[1].s'];
const lists = ['items', 'words', 'none', '(1..m)'];
const one = <T>(...values: readonly T[]) => fc.constantFrom(...values);

const comparison = fc.oneof(
  fc.tuple(one(...numbers), one('==', '!=', '<', '<=', '>', '>='), one(...numbers)),
  fc.tuple(one(...texts), one('==', '!=', '<', '>=', 'contains'), one(...texts)),
  fc.tuple(one('words', 's', 'none'), one('contains'), one(...texts)),
  fc.tuple(one('s', 'none', 'words', 'yes'), one('==', '!='), one('empty', 'blank', 'nil', 'true')),
);
const term = fc.oneof(
  comparison.map((parts) => parts.join(' ')),
  one('yes', 'no', 'none', 's', 'n', 'not yes', 'not none'),
);
const condition = fc
  .array(fc.tuple(term, one('and', 'or')), { minLength: 1, maxLength: 4 })
  .map((terms) => terms.map(([text, operator], n) => (n === 0 ? text : `${operator} ${text}`)).join(' '));

const output = fc.oneof(
  fc.tuple(
    one(...texts),
    fc
      .tuple(
        fc.array(one('upcase', 'downcase', 'capitalize', 'strip', 'default: "d"', 'truncate: 3'), {
          maxLength: 3,
        }),
        one([], ['size'], ['first'], ['last']),
      )
      .map(([some, end]) => [...some, ...end]),
  ),
  fc.tuple(
    one(...numbers),
    fc.array(one('plus: m', 'minus: 1', 'times: 1.5', 'divided_by: 4', 'round: 1', 'default: 7'), {
      maxLength: 3,
    }),
  ),
  fc.tuple(
    one('words', 'none'),
    fc.array(one('join: "-"', 'first', 'last', 'size', 'default: "d"'), { maxLength: 2 }),
  ),
  fc.tuple(one('yes', 'no', 'none', 'nil', 'items[0].missing', 'words[-1]', 'words[9]'), fc.constant([])),
);
const dash = one('', '', '-');

const { nodes } = fc.letrec<{ nodes: string; node: string }>((tie) => ({
  nodes: fc.array(tie('node'), { maxLength: 4 }).map((some) => some.join('')),
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    one('text', ' ', '\n', '<b>', '}', '%}', '{ '),
    fc.tuple(output, dash).map(([[value, filters], d]) => `{{${d} ${[value, ...filters].join(' | ')} ${d}}}`),
    fc
      .tuple(one('if', 'unless'), condition, tie('nodes'), condition, tie('nodes'), tie('nodes'), dash)
      .map(
        ([tag, a, first, b, second, third, d]) =>
          `{%${d} ${tag} ${a} %}${first}{% elsif ${b} ${d}%}${second}{%${d} else %}${third}{% end${tag} ${d}%}`,
      ),
    fc
      .tuple(
        one(...lists),
        one('', ' limit: 2', ' offset: 1', ' limit: m offset: 1 reversed', ' reversed'),
        tie('nodes'),
      )
      .map(
        ([list, options, body]) =>
          `{% for item in ${list}${options} %}${body}{{ forloop.rindex0 }}{% endfor %}`,
      ),
    fc
      .tuple(one(...lists), tie('nodes'), tie('nodes'))
      .map(([list, body, other]) => `{% for item in ${list} %}${body}{% else %}${other}{% endfor %}`),
    fc
      .tuple(one('n', 's', 'none'), one(...texts), one(...numbers), tie('nodes'), tie('nodes'))
      .map(
        ([value, text, number, a, b]) =>
          `{% case ${value} %} {% when ${text}, ${number} or nil %}${a}{% else %}${b}{% endcase %}`,
      ),
    one('{% comment %}{{ s }}{% if %}{% endcomment %}', '{% # s %}'),
  ),
}));

const given = fc.record({
  n: fc.integer({ min: -3, max: 5 }),
  m: fc.integer({ min: 0, max: 4 }),
  s: one('', 'b', 'Tom', ' Tom & Jerry '),
  yes: fc.constant(true),
  no: fc.constant(false),
  words: fc.array(one('', 'b', 'Tom', 'c'), { maxLength: 3 }),
  items: fc.array(fc.record({ n: fc.integer({ min: 0, max: 3 }), s: one('b', 'Tom', '<i>') }), {
    maxLength: 3,
  }),
});

it('a Liquid text becomes what LiquidJS makes of it', () => {
  let rendered = 0;
  fc.assert(
    fc.property(nodes, given, (text, variables) => {
      // `forloop` is nothing outside of a loop, where templates do not have it at all.
      const body = `{% for item in items limit: 1 %}${text}{% endfor %}{{ n }}`;
      const draft = {
        notificationType: 'T',
        channel: 'sms',
        language: 'en',
        syntax: 'LIQUID',
        activate: false,
      } as const;
      const faults = checkTemplate({ ...draft, body });
      // The depth of tags is bounded here.
      fc.pre(faults.every(({ message }) => message.startsWith('tags are nested')));
      fc.pre(faults.length === 0);
      rendered += 1;
      expect(bodyOf(body, variables)).toBe(standard.parseAndRenderSync(body, variables));
    }),
    { numRuns: 3_000 },
  );
  expect(rendered).toBeGreaterThan(1_000);
});
