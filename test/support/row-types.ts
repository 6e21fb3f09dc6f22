import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { statementsOf } from '../../scripts/sql-types/statement.js';

/** The generated types of the columns that a statement returns, by name, as TypeScript's text. */
export type Columns = ReadonlyMap<string, string>;
/** A statement of a `.sql` file, with the types of its rows. */
export interface TypedStatement {
  /** Path of the file from the root of the project, and the statement's name. */
  readonly name: string;
  readonly text: string;
  readonly columns: Columns;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** All statements of src, as the files that `npm run sql:types` writes declare them. */
export function typedStatements(): readonly TypedStatement[] {
  return globSync('src/**/*.sql', { cwd: root }).flatMap((file) => {
    const declared = typesIn(readFileSync(`${root}${file}.ts`, 'utf8'));
    return statementsOf(readFileSync(root + file, 'utf8')).map(({ name, text }) => ({
      name: `${file}, ${name}`,
      text,
      columns: declared.get(name) ?? new Map(),
    }));
  });
}

function typesIn(source: string): ReadonlyMap<string, Columns> {
  const statements = source.matchAll(/^ {2}readonly (\w+): Statement<\{\n(.*?)^ {2}\}>;$/gms);
  return new Map(
    [...statements].map(([, name = '', fields = '']) => {
      const columns = fields.matchAll(/^ {4}readonly '?(.+?)'?: (.+);$/gm);
      return [name, new Map([...columns].map(([, column = '', type = '']) => [column, type]))];
    }),
  );
}

/** Names the columns of a row whose value is not of the declared type, as far as a type says it by itself. */
export const faultsOf = (row: object, columns: Columns): string[] =>
  [...columns].flatMap(([column, type]) => {
    const value: unknown = row[column as keyof typeof row];
    return isOf(value, type) ? [] : [`${column} is ${JSON.stringify(value)}, not ${type}`];
  });

function isOf(value: unknown, type: string): boolean {
  if (type.endsWith(' | null')) return value === null || isOf(value, type.slice(0, -' | null'.length));
  if (type === 'unknown') return value !== undefined;
  // Also of types that only their own modules know.
  if (value === null || value === undefined) return false;
  const items = /^(?:readonly )?(\w+)\[\]$/.exec(type)?.[1];
  if (items) return Array.isArray(value) && value.every((item) => isOf(item, items));
  if (/^'[^']*'( \| '[^']*')*$/.test(type)) return type.split(' | ').includes(`'${value}'`);
  if (type === 'Date') return value instanceof Date || value === Infinity || value === -Infinity;
  if (type === 'Buffer') return Buffer.isBuffer(value);
  return !['string', 'number', 'boolean'].includes(type) || typeof value === type;
}
