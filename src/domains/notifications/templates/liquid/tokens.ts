import { TypeGuards } from 'liquidjs';

/** Which of LiquidJS' tokens something is. */
export const {
  isHTMLToken,
  isLiteralToken,
  isNumberToken,
  isOperatorToken,
  isOutputToken,
  isPropertyAccessToken,
  isQuotedToken,
  isRangeToken,
  isTagToken,
  isWordToken,
} = TypeGuards;
