export type VariableType = 'string' | 'number' | 'boolean' | 'list' | 'object';

/** One variable that templates of a type declare. */
export interface VariableField {
  readonly name: string;
  readonly type: VariableType;
  readonly isRequired: boolean;
  /** What stands in its place where it is left out. */
  readonly fallback: unknown;
}

interface Declaration {
  readonly type?: unknown;
  readonly required?: unknown;
  readonly default?: unknown;
}

const TYPES: readonly VariableType[] = ['string', 'number', 'boolean', 'list', 'object'];

/** The variables of several templates together, those that are required first: one is required where any template requires it. */
export function fieldsOf(
  templates: readonly { readonly variables: Readonly<Record<string, unknown>> }[],
): readonly VariableField[] {
  const fields = new Map<string, VariableField>();
  for (const { variables } of templates)
    for (const [name, declared] of Object.entries(variables)) {
      const { type, required, default: fallback } = (declared ?? {}) as Declaration;
      const before = fields.get(name);
      fields.set(name, {
        name,
        type: TYPES.find((one) => one === type) ?? 'string',
        isRequired: required === true || before?.isRequired === true,
        fallback: before?.fallback ?? fallback,
      });
    }
  return [...fields.values()].sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

export interface ReadVariables {
  readonly variables: Readonly<Record<string, unknown>>;
  /** Names of those that are not of their type. */
  readonly faulty: readonly string[];
}

/** What was typed, as values of the declared types. What is empty is left out. */
export function readVariables(
  fields: readonly VariableField[],
  typed: Readonly<Record<string, string>>,
): ReadVariables {
  const variables: Record<string, unknown> = {};
  const faulty: string[] = [];
  for (const { name, type } of fields) {
    const text = typed[name] ?? '';
    if (text === '') continue;
    const value = read(type, text);
    if (value === undefined) faulty.push(name);
    else variables[name] = value;
  }
  return { variables, faulty };
}

function read(type: VariableType, text: string): unknown {
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true';
  if (type === 'number') return Number.isFinite(Number(text)) ? Number(text) : undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isRight =
      type === 'list' ? Array.isArray(value) : typeof value === 'object' && !Array.isArray(value);
    return isRight && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
