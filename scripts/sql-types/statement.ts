import { withParts } from '../../src/platform/postgres/postgres.js';

/** A statement of a `.sql` file, and what its comment says of the columns that it returns. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
  /** Columns that are never NULL, though Postgres does not know it: expressions. */
  readonly notNull: readonly string[];
  /** Columns that may be NULL, though their tables' take none: of an outer join. */
  readonly null: readonly string[];
  /** By column, a type that is narrower than Postgres knows. */
  readonly types: ReadonlyMap<string, string>;
}

/**
 * Takes a file of statements apart. In the comment of one, `-- not null: a, b` and `-- null: a, b` name columns, and
 * `-- type: a = TypeScript` the type of one.
 */
export function statementsOf(source: string): readonly NamedStatement[] {
  return withParts(source)
    .split(/^-- name: /m)
    .slice(1)
    .map((part) => {
      const [name = '', ...lines] = part.split('\n');
      const said = (key: string): string[] => lines.flatMap((line) => line.split(`-- ${key}: `).slice(1));
      const list = (key: string): string[] => said(key).flatMap((names) => names.split(', '));
      return {
        name: name.trim(),
        text: lines.join('\n').trim().replace(/;\s*$/, ''),
        notNull: list('not null'),
        null: list('null'),
        types: new Map(said('type').map((line) => line.split(' = ', 2) as [string, string])),
      };
    });
}
