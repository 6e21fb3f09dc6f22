import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import type { Statement } from '../platform/postgres/postgres.js';

/** What COPY's text format carries: an array becomes a Postgres array, an object JSON. */
export type Cell =
  | string
  | number
  | boolean
  | null
  | Date
  | readonly string[]
  | { readonly [key: string]: unknown };

const LINES_A_CHUNK = 1_000;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/**
 * Sends rows through `COPY … FROM STDIN`, made while they are sent.
 *
 * @param onRows called with the number of rows that were just passed on
 */
export async function copyIn(
  client: pg.Client,
  statement: Statement,
  rows: Iterable<readonly Cell[]>,
  onRows: (count: number) => void,
): Promise<void> {
  await pipeline(Readable.from(chunks(rows, onRows)), client.query(from(statement.text)));
}

function* chunks(rows: Iterable<readonly Cell[]>, onRows: (count: number) => void): Iterable<string> {
  let lines: string[] = [];
  for (const row of rows) {
    lines.push(row.map(encode).join('\t'));
    if (lines.length === LINES_A_CHUNK) {
      yield `${lines.join('\n')}\n`;
      onRows(lines.length);
      lines = [];
    }
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`;
  onRows(lines.length);
}

function encode(cell: Cell): string {
  if (cell === null) return '\\N';
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell === 'string') return escapeText(cell);
  return escapeText(isArray(cell) ? arrayLiteral(cell) : JSON.stringify(cell));
}

const escapeText = (text: string): string => text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!);

const isArray = (cell: object): cell is readonly string[] => Array.isArray(cell);

const arrayLiteral = (items: readonly string[]): string =>
  `{${items.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
