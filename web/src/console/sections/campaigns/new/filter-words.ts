export type AttributeType = 'BOOLEAN' | 'DATETIME' | 'NUMBER' | 'STRING' | 'STRINGS';

export interface Attribute {
  readonly name: string;
  readonly type: AttributeType;
}

export interface Word {
  readonly label: string;
  readonly kind: 'attribute' | 'operator' | 'value';
  readonly type?: AttributeType;
}

const OPERATORS: Readonly<Record<AttributeType, readonly string[]>> = {
  STRING: ['=', '!=', 'in (', 'exists', '<', '<=', '>', '>='],
  NUMBER: ['=', '!=', '<', '<=', '>', '>=', 'in (', 'exists'],
  DATETIME: ['<', '<=', '>', '>=', '=', '!=', 'exists'],
  BOOLEAN: ['=', '!=', 'exists'],
  STRINGS: ['contains', 'exists'],
};
const VALUES: Readonly<Record<AttributeType, readonly string[]>> = {
  STRING: ['""'],
  STRINGS: ['""'],
  NUMBER: [],
  DATETIME: ['now()', 'now() - 7d', 'now() - 30d'],
  BOOLEAN: ['true', 'false'],
};
const TOKEN = /"(?:[^"\\]|\\.)*"?|[A-Za-z_]\w*|[<>!]?=|[<>(),]|[^\s"<>=!(),]+/g;

/** Which words may come next, after a filter's text up to the one that is being written. */
export function wordsAfter(text: string, attributes: readonly Attribute[]): readonly Word[] {
  const tokens = text.match(TOKEN) ?? [];
  const last = tokens.at(-1);
  // Within a text nothing is offered.
  if (last?.startsWith('"') && !/^"(?:[^"\\]|\\.)*"$/.test(last)) return [];
  const asked = attributes.find(({ name }) => name === last);
  if (asked) return words('operator', OPERATORS[asked.type]);
  if (last === undefined || /^(and|or|not)$/i.test(last)) return questions(attributes);
  const compared = comparedWith(tokens, attributes);
  if (compared) return words('value', VALUES[compared.type]);
  if (last === '(' && tokens.at(-2) === 'hasDevice') return words('value', ['"IOS"', '"ANDROID"', '"WEB"']);
  if (last === '(') return questions(attributes);
  return words('operator', ['and', 'or', 'and not (']);
}

const words = (kind: Word['kind'], labels: readonly string[]): readonly Word[] =>
  labels.map((label) => ({ label, kind }));

const questions = (attributes: readonly Attribute[]): readonly Word[] => [
  ...attributes.map(({ name, type }): Word => ({ label: name, kind: 'attribute', type })),
  ...words('operator', ['not (', 'hasDevice(']),
];

/** The attribute whose value is to come: after a comparison, or in the list behind `in`. */
function comparedWith(tokens: readonly string[], attributes: readonly Attribute[]): Attribute | undefined {
  const open = tokens.lastIndexOf('(');
  const isList =
    open > 0 &&
    /^in$/i.test(tokens[open - 1]!) &&
    !tokens.slice(open).includes(')') &&
    /^[(,]$/.test(tokens.at(-1)!);
  const isComparison = /^([<>!]?=|[<>]|contains)$/i.test(tokens.at(-1)!);
  const name = isList ? tokens[open - 2] : isComparison ? tokens.at(-2) : undefined;
  return attributes.find((attribute) => attribute.name === name);
}
