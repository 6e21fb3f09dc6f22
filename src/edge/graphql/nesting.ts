import { Lexer, Source, TokenKind } from 'graphql';

const OPENING: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Whether brackets nest deeper than `most` in a document. The parser recurses with every bracket: how many it withstands
 * depends on the stack that is left and on whether its code was optimised yet, so that a process that has just started
 * withstands the fewest.
 *
 * @param maxTokens how far to read: the parser refuses what is longer
 * @throws GraphQLError where a token cannot be read
 */
export function nestsDeeperThan(most: number, source: string, maxTokens: number): boolean {
  const lexer = new Lexer(new Source(source));
  let depth = 0;
  for (let tokens = 0; tokens <= maxTokens; tokens += 1) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF) return false;
    if (CLOSING.has(kind)) depth -= 1;
    else if (OPENING.has(kind)) {
      depth += 1;
      if (depth > most) return true;
    }
  }
  return false;
}
