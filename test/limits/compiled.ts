import { readDocument } from '../../src/domains/limits/rules/read-document.js';
import { compileRules, type Rules } from '../../src/domains/limits/rules/rules.js';

/** The rules of a good document, read on this thread. */
export function compiled(document: string): Rules {
  const read = readDocument(document);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return compileRules(document, read.rules);
}
