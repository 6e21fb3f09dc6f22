import {
  EmbeddedActionsParser,
  type IParserErrorMessageProvider,
  type IToken,
  type ParserMethod,
  type TokenType,
  tokenLabel,
} from 'chevrotain';
import { type Comparison, type Filter, join, type Literal, type Position, type Predicate } from './filter.js';
import { readInstantToken, readNow, readNumber, readText } from './read-literal.js';
import {
  And,
  Close,
  Comma,
  ComparisonSign,
  Contains,
  Duration,
  Exists,
  False,
  In,
  Instant,
  Minus,
  Name,
  Not,
  Now,
  NumberToken,
  Open,
  Or,
  Plus,
  Text,
  True,
  tokens,
} from './tokens.js';

/** Where a token stands. */
export const positionOf = ({ startLine, startColumn }: IToken): Position => ({
  line: startLine!,
  column: startColumn!,
});

type Rule<T> = ParserMethod<[], T>;
/** What follows an attribute's name. */
type Question = Predicate extends infer P ? (P extends Predicate ? Omit<P, 'name' | 'at'> : never) : never;

/** What was expected, in the words of the language. `parseFilter` adds where, and what was found. */
const messages: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected, ruleName }) => {
    if (expected !== Close) return tokenLabel(expected);
    if (ruleName === 'unary') return '"and", "or" or ")"';
    return ruleName === 'list' ? '"," or ")"' : '")"';
  },
  buildNotAllInputParsedMessage: () => '"and", "or" or the end',
  buildNoViableAltMessage: ({ expectedPathsPerAlt }) => oneOf(expectedPathsPerAlt.flat()),
  buildEarlyExitMessage: ({ expectedIterationPaths }) => oneOf(expectedIterationPaths),
};

/** One of several alternatives, of which the parser takes the one whose first token comes next. */
const either = <T>(parse: () => T) => ({ ALT: parse });

function oneOf(paths: readonly (readonly TokenType[])[]): string {
  const labels = [...new Set(paths.map(([first]) => tokenLabel(first!)))];
  const last = labels.pop();
  return labels.length > 0 ? `${labels.join(', ')} or ${last}` : `${last}`;
}

/**
 * The grammar of filters. `or` binds less than `and`, and `and` less than `not`. The parser calls itself for each group: the depth
 * of what it gets is bounded before.
 */
class FilterGrammar extends EmbeddedActionsParser {
  readonly filter: Rule<Filter> = this.RULE('filter', () => {
    const parts = [this.SUBRULE(this.conjunction)];
    this.MANY(() => {
      this.CONSUME(Or);
      parts.push(this.SUBRULE1(this.conjunction));
    });
    return this.ACTION(() => join('or', parts));
  });

  private readonly conjunction: Rule<Filter> = this.RULE('conjunction', () => {
    const parts = [this.SUBRULE(this.unary)];
    this.MANY(() => {
      this.CONSUME(And);
      parts.push(this.SUBRULE1(this.unary));
    });
    return this.ACTION(() => join('and', parts));
  });

  private readonly unary: Rule<Filter> = this.RULE('unary', () =>
    this.OR([
      either((): Filter => {
        this.CONSUME(Not);
        return { kind: 'not', part: this.SUBRULE(this.unary) };
      }),
      either((): Filter => {
        this.CONSUME(Open);
        const group = this.SUBRULE(this.filter);
        this.CONSUME(Close);
        return group;
      }),
      either((): Filter => this.SUBRULE(this.predicate)),
    ]),
  );

  private readonly predicate: Rule<Predicate> = this.RULE('predicate', () => {
    const token = this.CONSUME(Name);
    const question = this.SUBRULE(this.question);
    return this.ACTION((): Predicate => ({ name: token.image, at: positionOf(token), ...question }));
  });

  private readonly question: Rule<Question> = this.RULE('question', () =>
    this.OR([
      either((): Question => {
        const { image } = this.CONSUME(ComparisonSign);
        return { kind: 'compare', comparison: image as Comparison, value: this.SUBRULE(this.literal) };
      }),
      either((): Question => {
        this.CONSUME(In);
        return { kind: 'in', values: this.SUBRULE(this.list) };
      }),
      either((): Question => {
        this.CONSUME(Contains);
        return { kind: 'contains', value: this.SUBRULE1(this.literal) };
      }),
      either((): Question => {
        this.CONSUME(Exists);
        return { kind: 'exists' };
      }),
      either((): Question => {
        this.CONSUME(Open);
        const argument = this.SUBRULE2(this.literal);
        this.CONSUME(Close);
        return { kind: 'call', argument };
      }),
    ]),
  );

  private readonly list: Rule<readonly Literal[]> = this.RULE('list', () => {
    const values: Literal[] = [];
    this.CONSUME(Open);
    const add = (): void => void values.push(this.SUBRULE(this.literal));
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: add });
    this.CONSUME(Close);
    return values;
  });

  private readonly literal: Rule<Literal> = this.RULE('literal', () =>
    this.OR([
      either((): Literal => {
        const token = this.CONSUME(Text);
        return this.ACTION(() => readText(token, positionOf(token)));
      }),
      either((): Literal => this.SUBRULE(this.number)),
      either((): Literal => ({ kind: 'boolean', value: true, at: positionOf(this.CONSUME(True)) })),
      either((): Literal => ({ kind: 'boolean', value: false, at: positionOf(this.CONSUME(False)) })),
      either((): Literal => {
        const token = this.CONSUME(Instant);
        return this.ACTION(() => readInstantToken(token, positionOf(token)));
      }),
      either((): Literal => this.SUBRULE(this.now)),
    ]),
  );

  private readonly number: Rule<Literal> = this.RULE('number', () => {
    const minus = this.OPTION(() => this.CONSUME(Minus));
    const token = this.CONSUME(NumberToken);
    return this.ACTION(() => readNumber(token, minus !== undefined, positionOf(minus ?? token)));
  });

  private readonly now: Rule<Literal> = this.RULE('now', () => {
    const token = this.CONSUME(Now);
    this.CONSUME(Open);
    this.CONSUME(Close);
    const distance = this.OPTION(() => {
      const sign = this.OR([either(() => this.CONSUME(Plus)), either(() => this.CONSUME(Minus))]);
      return { sign, duration: this.CONSUME(Duration) };
    });
    return this.ACTION(() => readNow(distance, positionOf(token)));
  });

  constructor() {
    super(tokens, { errorMessageProvider: messages, maxLookahead: 2 });
    this.performSelfAnalysis();
  }
}

/** Keeps the tokens that it parses: it is used from one synchronous function alone. */
export const createGrammar = (): Pick<FilterGrammar, 'filter' | 'input' | 'errors'> => new FilterGrammar();
