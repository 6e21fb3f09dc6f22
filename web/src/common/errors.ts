import { CombinedGraphQLErrors, ServerError, ServerParseError } from '@apollo/client/errors';
import { useCommonTexts } from './i18n.js';

interface Fault {
  readonly code: string;
  readonly message: string;
}

/** What went wrong, in words for the person in front of the screen. */
export function useErrorText(): (error: unknown) => Fault {
  const t = useCommonTexts();
  return (error) => {
    if (CombinedGraphQLErrors.is(error)) {
      const [first] = error.errors;
      const code = String(first?.extensions?.code ?? 'UNKNOWN');
      const seconds = first?.extensions?.retryAfter;
      if (code === 'RATE_LIMITED' && seconds !== undefined)
        return { code, message: t('error.RATE_LIMITED', { seconds }) };
      return { code, message: first?.message ?? error.message };
    }
    if (error instanceof TypeError || isAway(error)) return { code: 'NETWORK', message: t('error.NETWORK') };
    return { code: 'UNKNOWN', message: error instanceof Error ? error.message : String(error) };
  };
}

/** What a proxy answers in the place of a server that is away. */
const isAway = (error: unknown): boolean =>
  (ServerError.is(error) || ServerParseError.is(error)) && error.statusCode >= 500;
