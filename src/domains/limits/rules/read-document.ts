import { LineCounter } from 'yaml';
import { checkDocument } from './check-document.js';
import type { Flaw } from './located.js';
import { parseDocument } from './parse-document.js';
import type { PlainRules } from './plain-rules.js';
import type { RuleFault } from './rules.js';

const MAX_FAULTS = 100;

export type ReadDocument =
  | { readonly ok: true; readonly rules: PlainRules; readonly warnings: readonly RuleFault[] }
  | { readonly ok: false; readonly faults: readonly RuleFault[] };

/**
 * Parses and checks. Synchronous, and slow for some documents: `readRules` does it on a thread of its own.
 *
 * @param endpoints every endpoint that the gate is asked about; undefined where they are not known
 */
export function readDocument(text: string, endpoints?: ReadonlySet<string>): ReadDocument {
  const { root, flaws } = parseDocument(text);
  const warnings: Flaw[] = [];
  const rules = root && checkDocument(root, flaws, warnings, endpoints);
  if (!rules || flaws.length > 0) return { ok: false, faults: faultsOf(flaws, text) };
  return { ok: true, rules, warnings: faultsOf(warnings, text) };
}

/** In the document's order, each once, the first 100. */
function faultsOf(flaws: readonly Flaw[], text: string): RuleFault[] {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) lines.addNewLine(end + 1);
  const once = new Map(flaws.map((flaw) => [`${flaw.at} ${flaw.message}`, flaw]));
  return [...once.values()]
    .sort((a, b) => a.at - b.at)
    .slice(0, MAX_FAULTS)
    .map(({ at, message, path }) => {
      const { line, col } = lines.linePos(at);
      return { line, column: col, message, path };
    });
}
