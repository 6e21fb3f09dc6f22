import { readDocument } from '../../src/domains/limits/rules/read-document.js';

/** Each fault as `line:column message`. */
export function faultsOf(document: string): string[] {
  const read = readDocument(document);
  return read.ok ? [] : read.faults.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

/** The faults of one descriptor, whose fields begin on line 3 in column 3. */
export const faultsOfRule = (...lines: string[]): string[] =>
  faultsOf(`domain: d\ndescriptors:\n- ${lines.map((line) => `${line}\n`).join('  ')}`);

/** A good limit. */
export const minute = '{ requests_per_unit: 10, unit: minute }';
