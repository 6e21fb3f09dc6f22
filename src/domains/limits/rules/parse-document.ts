import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Pair,
  type ParsedNode,
  Parser,
} from 'yaml';
import { type Flaw, type Located, type LocatedEntry, quoted } from './located.js';

/** Collections inside one another: more than the deepest good document has, and far from what exhausts a stack. */
const MAX_COLLECTIONS = 48;

/** Words, marks and spaces: twice what a good document of the largest size has. */
const MAX_PARTS = 150_000;

/** C0 without tab and line ends, and DEL: YAML has no place for them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

const NO_REFERENCES = 'anchors, aliases and merge keys are not allowed: write the values out';

/**
 * Reads one document of plain YAML, of which JSON is a part, into values that know their places.
 * Anchors, aliases, tags, merge keys, directives and duplicate keys are flaws. Without a root the text could not be read.
 */
export function parseDocument(text: string): { root: Located | null; flaws: Flaw[] } {
  const unreadable = (at: number, message: string) => ({ root: null, flaws: [{ at, message, path: [] }] });
  if (!text.isWellFormed()) return unreadable(text.search(/\p{Cs}/u), 'half a surrogate pair is no text');
  const control = text.search(FORBIDDEN);
  if (control >= 0) {
    const code = text.charCodeAt(control).toString(16).toUpperCase().padStart(4, '0');
    return unreadable(control, `the control character U+${code} is not allowed`);
  }
  const tokens: CST.Token[] = [];
  const excess = tokenize(text, tokens);
  if (excess) return unreadable(excess.at, excess.message);
  const directive = tokens.find((token) => token.type === 'directive');
  if (directive) return unreadable(directive.offset, 'directives (%) are not allowed');

  const [document, second] = compose(tokens, text.length);
  const errors = document?.errors.map(
    (error): Flaw => ({ at: error.pos[0], message: syntaxMessage(error), path: [] }),
  );
  if (errors && errors.length > 0) return { root: null, flaws: errors };
  if (second) return unreadable(startOf(second), 'only one document is allowed in a file');
  if (!document?.contents) return unreadable(0, 'the document is empty');
  const flaws: Flaw[] = [];
  return { root: locate(document.contents, document.contents.range[0], [], flaws), flaws };
}

/** Stops where too many collections are open, before anything recursive has seen them, or where there is too much. */
function tokenize(text: string, tokens: CST.Token[]): { at: number; message: string } | null {
  const parser = new Parser();
  let parts = 0;
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    parts += 1;
    const at = Math.max(0, parser.offset - 1);
    if (parser.stack.length > MAX_COLLECTIONS)
      return { at, message: 'nested too deeply to be a rule document' };
    if (parts > MAX_PARTS) return { at, message: 'too many words and marks to be a rule document' };
  }
  tokens.push(...parser.end());
  return null;
}

function compose(tokens: readonly CST.Token[], end: number): Document.Parsed[] {
  // Merging would hide the place of `<<`, and its own search for duplicate keys takes quadratic time.
  const composer = new Composer({ version: '1.2', schema: 'core', merge: false, uniqueKeys: false });
  return [...composer.compose(tokens, true, end)];
}

/** Where a later document's own text begins; its node where it has one. */
const startOf = (document: Document.Parsed): number => document.contents?.range[0] ?? document.range[0];

function syntaxMessage({ code, message }: { code: string; message: string }): string {
  if (code === 'BAD_ALIAS' || message.startsWith('Alias')) {
    return `${NO_REFERENCES}; a value that begins with * needs quotes`;
  }
  return `not valid YAML: ${message}`;
}

function locate(node: ParsedNode | null, at: number, path: readonly string[], flaws: Flaw[]): Located {
  if (!node) return { kind: 'scalar', at, value: null };
  const begin = node.range[0];
  const flaw = (message: string) => flaws.push({ at: begin, message, path });
  if (isAlias(node)) {
    flaw(`${NO_REFERENCES}; a value that begins with * needs quotes`);
    return { kind: 'scalar', at: begin, value: null };
  }
  if (node.anchor !== undefined) flaw(NO_REFERENCES);
  if (node.tag !== undefined) flaw(`tags are not allowed; got ${quoted(node.tag)}`);
  if (isScalar(node)) return { kind: 'scalar', at: begin, value: node.value };
  if (isSeq(node)) {
    const items = node.items.map((item, index) => locate(item, begin, [...path, String(index)], flaws));
    return { kind: 'list', at: begin, items };
  }
  const entries = new Map<string, LocatedEntry>();
  if (isMap(node)) for (const pair of node.items) addEntry(entries, pair, begin, path, flaws);
  return { kind: 'map', at: begin, entries };
}

function addEntry(
  entries: Map<string, LocatedEntry>,
  pair: Pair<ParsedNode, ParsedNode | null>,
  mapAt: number,
  path: readonly string[],
  flaws: Flaw[],
): void {
  const key = locate(pair.key, mapAt, path, flaws);
  if (key.kind !== 'scalar' || typeof key.value !== 'string') {
    flaws.push({ at: key.at, message: 'a key must be a plain name', path });
    return;
  }
  const name = key.value;
  const value = locate(pair.value, key.at, [...path, name], flaws);
  if (name === '<<') flaws.push({ at: key.at, message: NO_REFERENCES, path });
  else if (entries.has(name)) {
    flaws.push({ at: key.at, message: `duplicate key ${quoted(name)}`, path: [...path, name] });
  } else entries.set(name, { keyAt: key.at, value });
}
