import path from 'node:path';
import type pg from 'pg';
import { columnsOf } from './describe.js';
import { type NamedStatement, statementsOf } from './statement.js';
import type { TypeNames } from './types.js';

/**
 * The TypeScript that stands for a file of statements.
 *
 * @param file path from the root of the project, such as `src/platform/queues/schedules.sql`
 * @throws Error naming the statement that Postgres refuses, or a column that it does not return
 */
export async function render(
  client: pg.Client,
  types: TypeNames,
  file: string,
  source: string,
): Promise<string> {
  const platform = path.posix.relative(path.posix.dirname(file), 'src/platform/postgres/postgres.js');
  const from = platform.startsWith('.') ? platform : `./${platform}`;
  const members: string[] = [];
  await client.query('BEGIN');
  try {
    for (const statement of statementsOf(source)) {
      const row = await rowOf(client, types, statement).catch((error: Error) => {
        throw new Error(`${file}, ${statement.name}: ${error.message}`, { cause: error });
      });
      members.push(`  readonly ${statement.name}: Statement<${row}>;`);
      // What is made for one transaction is there for the statements after it.
      if (/^(--.*\n|\s)*CREATE TEMPORARY/i.test(statement.text)) await client.query(statement.text);
    }
  } finally {
    await client.query('ROLLBACK');
  }
  return `// Generated from ${path.posix.basename(file)} by \`npm run sql:types\`: do not edit.
import { loadStatements, type Statement } from '${from}';

export const sql = loadStatements<{
${members.join('\n')}
}>(new URL('./${path.posix.basename(file)}', import.meta.url));
`;
}

async function rowOf(client: pg.Client, types: TypeNames, statement: NamedStatement): Promise<string> {
  const columns = await columnsOf(client, statement.text);
  const names = new Set(columns.map(({ name }) => name));
  const said = [...statement.notNull, ...statement.null, ...statement.types.keys()];
  const unknown = said.filter((name) => !names.has(name));
  if (unknown.length > 0) throw new Error(`returns no column ${unknown.join(', ')}`);
  if (columns.length === 0) return 'Record<never, never>';
  // Of columns of one name the last is the one that arrives.
  const arriving = [...new Map(columns.map((column) => [column.name, column])).values()];
  const fields = arriving.map(({ name, typeId, origin }) => {
    const required = origin !== undefined && types.isRequired(origin.table, origin.column);
    const isNull = required ? statement.null.includes(name) : !statement.notNull.includes(name);
    const type = statement.types.get(name) ?? types.nameOf(typeId);
    return `    readonly ${/^[a-z_]\w*$/i.test(name) ? name : `'${name}'`}: ${type}${isNull ? ' | null' : ''};`;
  });
  return `{\n${fields.join('\n')}\n  }`;
}
