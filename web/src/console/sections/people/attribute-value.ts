import type { UserAttributeType } from '../../../generated/graphql.js';

/** What is typed for an attribute, as the API takes it; undefined where it is not of the type. */
export function readAttribute(text: string, type: UserAttributeType): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  switch (type) {
    case 'NUMBER':
      return Number.isFinite(Number(trimmed)) ? Number(trimmed) : undefined;
    case 'BOOLEAN':
      return trimmed === 'true' ? true : trimmed === 'false' ? false : undefined;
    case 'DATETIME':
      return Number.isNaN(Date.parse(trimmed)) ? undefined : trimmed;
    case 'STRINGS':
      return trimmed
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean);
    default:
      return trimmed;
  }
}

export const writeAttribute = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : String(value);
