import type { TagToken, TopLevelToken } from 'liquidjs';
import { readItems, readLoopOptions, readParameters, readValue, readValues } from './arguments.js';
import { isOneOf, renderEach, renderFirst, renderNothing, renderWith } from './blocks.js';
import { compileCondition, compileOutput, expectEnd, type Place } from './expressions.js';
import type { Block, Mark, Node } from './nodes.js';
import { LiquidFault, type Source } from './position.js';
import type { Read } from './run.js';
import type { Binding, Scope } from './scope.js';
import { isHTMLToken, isOutputToken, isTagToken, openTokenizer } from './tokens.js';
import { isTruthy } from './values.js';

/** What partials say, by name: those of one channel, in the language of the template that renders them. */
export type Partials = ReadonlyMap<string, { readonly body: string; readonly htmlBody: string | null }>;

/** The text of a partial for one field; null where there is none of this name. */
export type FindPartial = (name: string) => string | null;

/** Tags within tags. */
const MAX_DEPTH = 8;
/** Outputs and tags of one text, those of its partials included. */
export const MAX_MARKS = 400;
/** Characters of one text, those of its partials as often as it renders them: all of them are kept, and looked at as one HTML. */
export const MAX_CHARACTERS = 400_000;
/** Partials within partials. */
export const MAX_PARTIALS = 3;

/**
 * Takes a Liquid text apart. The tokenizer is LiquidJS'; what the tags mean is decided here, and there are few of them: `if`, `unless`,
 * `case`, `for`, `render` and `comment`.
 *
 * @param itself the name of the partial whose text this is; null for other templates
 * @throws LiquidFault with the line and column, where it cannot be read, or uses what templates do not have
 */
export function parseLiquid(
  text: string,
  scope: Scope,
  findPartial: FindPartial,
  itself: string | null,
): readonly Node[] {
  const within = itself === null ? [] : [itself];
  const shared = { findPartial, within, left: { marks: MAX_MARKS, characters: MAX_CHARACTERS } };
  return new Parser({ text, partial: null }, scope, shared).parseAll();
}

/** What the parsers of a text and its partials share. */
interface Shared {
  readonly findPartial: FindPartial;
  /** The partials on the way to this text. */
  readonly within: readonly string[];
  readonly left: { marks: number; characters: number };
}

type Parts = Block['parts'][number][];

class Parser {
  private readonly tokens: readonly TopLevelToken[];
  private next = 0;
  private depth = 0;

  constructor(
    private readonly source: Source,
    private scope: Scope,
    private readonly shared: Shared,
  ) {
    const { left } = shared;
    left.marks -= source.text.match(/\{\{|\{%/g)?.length ?? 0;
    left.characters -= source.text.length;
    if (left.marks < 0) throw new LiquidFault(`a text has at most ${MAX_MARKS} outputs and tags`, source, 0);
    if (left.characters < 0) {
      throw new LiquidFault(
        `a text has at most ${MAX_CHARACTERS} characters, those of its partials included each time`,
        source,
        0,
      );
    }
    this.tokens = this.reading(() => openTokenizer(source.text).readTopLevelTokens());
  }

  parseAll(): readonly Node[] {
    const { nodes, stop } = this.parseUntil([]);
    if (stop) throw this.fault(`there is nothing that ${stop.name} could belong to`, stop);
    return nodes;
  }

  /** Up to one of these tags, or to the end. */
  private parseUntil(stops: readonly string[]): { nodes: Node[]; stop: TagToken | null } {
    const nodes: Node[] = [];
    while (this.next < this.tokens.length) {
      const token = this.tokens[this.next++]!;
      if (isTagToken(token)) {
        if (stops.includes(token.name) || NEVER_FIRST.has(token.name)) return { nodes, stop: token };
        nodes.push(this.parseTag(token));
      } else if (isOutputToken(token)) {
        const expression = openTokenizer(this.source.text, token.contentRange);
        const read = this.reading(() => compileOutput(expression, this.place()));
        nodes.push({ kind: 'output', mark: this.markOf(token), read });
      } else if (isHTMLToken(token)) {
        nodes.push({ kind: 'text', text: token.getContent() });
      }
    }
    return { nodes, stop: null };
  }

  private parseTag(token: TagToken): Block {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw this.fault(`tags are nested at most ${MAX_DEPTH} deep`, token);
    const block = this.reading(() => this.parseBlock(token));
    this.depth -= 1;
    return block;
  }

  private parseBlock(token: TagToken): Block {
    switch (token.name) {
      case 'if':
        return this.parseIf(token, (test) => test);
      case 'unless':
        return this.parseIf(token, (test) => (run) => !isTruthy(test(run)));
      case 'case':
        return this.parseCase(token);
      case 'for':
        return this.parseFor(token);
      case 'render':
        return this.parseRender(token);
      case 'comment':
        return this.parseComment(token);
      case '#':
        return { kind: 'block', parts: [], end: this.markOf(token), render: renderNothing };
      default:
        throw this.fault(
          `There is no tag ${token.name.slice(0, 64)}: there are if, unless, case, for, render and comment`,
          token,
        );
    }
  }

  private parseIf(token: TagToken, first: (test: Read) => Read): Block {
    const tests: (Read | null)[] = [first(compileCondition(token.tokenizer, this.place()))];
    const parts: Parts = [];
    let mark = this.markOf(token);
    for (;;) {
      const { nodes, stop } = this.parseUntil(['elsif', 'else', `end${token.name}`]);
      parts.push({ mark, nodes });
      const end = this.endOf(token, stop, tests.at(-1) === null ? [] : ['elsif', 'else']);
      if (end) return { kind: 'block', parts, end, render: renderFirst(tests) };
      mark = this.markOf(stop!);
      if (stop!.name === 'elsif') tests.push(compileCondition(stop!.tokenizer, this.place()));
      else tests.push(this.withoutArguments(stop!));
    }
  }

  private parseCase(token: TagToken): Block {
    const value = readValue(token.tokenizer, this.place());
    expectEnd(token.tokenizer, this.place());
    const { nodes: before, stop: first } = this.parseUntil(['when', 'else', 'endcase']);
    if (before.some((node) => node.kind !== 'text' || node.text.trim() !== '')) {
      throw this.fault('between case and the first when there is nothing', token);
    }
    const tests: (Read | null)[] = [];
    const parts: Parts = [{ mark: this.markOf(token), nodes: [] }];
    let stop = first;
    for (;;) {
      const end = this.endOf(token, stop, tests.at(-1) === null ? [] : ['when', 'else']);
      // Before the first part nothing is chosen, since its test never holds.
      if (end) return { kind: 'block', parts, end, render: renderFirst([() => false, ...tests]) };
      const mark = this.markOf(stop!);
      if (stop!.name === 'when') tests.push(isOneOf(value, readValues(stop!.tokenizer, this.place())));
      else tests.push(this.withoutArguments(stop!));
      const rest = this.parseUntil(['when', 'else', 'endcase']);
      parts.push({ mark, nodes: rest.nodes });
      stop = rest.stop;
    }
  }

  private parseFor(token: TagToken): Block {
    const { tokenizer } = token;
    const name = tokenizer.readIdentifier().getText();
    if (!/^\w{1,64}$/.test(name) || name === 'forloop' || tokenizer.readIdentifier().getText() !== 'in') {
      throw this.fault('a for is written like {% for item in items %}', token);
    }
    const items = readItems(tokenizer, this.place());
    const options = readLoopOptions(token, this.place());
    const { scope } = this;
    const [item, index, length] = [scope.allocate(), scope.allocate(), scope.allocate()];
    const names = new Map<string, Binding>([
      [name, { kind: 'local', place: item }],
      ['forloop', { kind: 'loop', index, length }],
    ]);
    this.scope = scope.within(names);
    const { nodes, stop } = this.parseUntil(['else', 'endfor']);
    this.scope = scope;
    const parts: Parts = [{ mark: this.markOf(token), nodes }];
    let end = this.endOf(token, stop, ['else']);
    if (!end) {
      this.withoutArguments(stop!);
      const otherwise = this.parseUntil(['endfor']);
      parts.push({ mark: this.markOf(stop!), nodes: otherwise.nodes });
      end = this.endOf(token, otherwise.stop, []);
    }
    return {
      kind: 'block',
      parts,
      end: end!,
      render: renderEach({ items, ...options, item, index, length }),
    };
  }

  private parseRender(token: TagToken): Block {
    const { tokenizer } = token;
    const name = tokenizer.readQuoted()?.content ?? '';
    const text = this.shared.findPartial(name);
    if (!name) throw this.fault('a partial is named in quotes, like {% render "footer" %}', token);
    if (this.shared.within.includes(name)) throw this.fault(`partial ${name} renders itself`, token);
    if (this.shared.within.length >= MAX_PARTIALS) {
      throw this.fault(`partials are nested at most ${MAX_PARTIALS} deep`, token);
    }
    if (text === null)
      throw this.fault(`there is no active partial ${name.slice(0, 64)} for this field`, token);
    const parameters = readParameters(tokenizer, this.place());
    const names = parameters.map((one) => [one.name, { kind: 'local', place: one.place } as const] as const);
    const within = { ...this.shared, within: [...this.shared.within, name] };
    const parser = new Parser({ text, partial: name }, this.scope.isolated(new Map(names)), within);
    const mark = this.markOf(token);
    return {
      kind: 'block',
      parts: [{ mark, nodes: parser.parseAll() }],
      end: mark,
      render: renderWith(parameters),
    };
  }

  /** Whatever stands in it is skipped, comments too. */
  private parseComment(token: TagToken): Block {
    for (let open = 1; this.next < this.tokens.length; ) {
      const skipped = this.tokens[this.next++]!;
      if (!isTagToken(skipped)) continue;
      open += skipped.name === 'comment' ? 1 : skipped.name === 'endcomment' ? -1 : 0;
      if (open === 0) return { kind: 'block', parts: [], end: this.markOf(token), render: renderNothing };
    }
    throw this.fault('comment does not end: endcomment is missing', token);
  }

  /** The end of a block; null where one of these tags goes on with it. */
  private endOf(token: TagToken, stop: TagToken | null, goesOn: readonly string[]): Mark | null {
    if (!stop) throw this.fault(`${token.name} does not end: end${token.name} is missing`, token);
    if (goesOn.includes(stop.name)) return null;
    if (stop.name !== `end${token.name}`)
      throw this.fault(`${stop.name} does not belong into ${token.name}`, stop);
    this.withoutArguments(stop);
    return this.markOf(stop);
  }

  private withoutArguments(token: TagToken): null {
    expectEnd(token.tokenizer, this.place());
    return null;
  }

  private place(): Place {
    return { source: this.source, scope: this.scope };
  }

  private markOf({ begin, end }: { begin: number; end: number }): Mark {
    const text = this.source.text.slice(begin, end);
    return { text: text.length > 40 ? `${text.slice(0, 37)}…` : text, source: this.source, offset: begin };
  }

  private fault(why: string, { begin }: { begin: number }): LiquidFault {
    return new LiquidFault(why, this.source, begin);
  }

  /** What the tokenizer throws, as a fault; so too where something is nested so deeply that it fails. */
  private reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof LiquidFault) throw error;
      const { message = '', token } = error as { message?: string; token?: { begin?: number } };
      if (error instanceof RangeError)
        throw new LiquidFault('something is nested too deeply', this.source, 0);
      if (token === undefined) throw error;
      throw new LiquidFault(message.replace(/, line:\d+, col:\d+$/, ''), this.source, token.begin ?? 0);
    }
  }
}

/** Tags that only go on with others or end them. */
const NEVER_FIRST: ReadonlySet<string> = new Set([
  ...['elsif', 'else', 'when', 'endif', 'endunless', 'endcase', 'endfor', 'endcomment'],
]);
