import { CombinedGraphQLErrors, ServerError, ServerParseError } from '@apollo/client/errors';
import { useCommonTexts } from './i18n.js';
import { isUnanswered } from './unanswered.js';

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
      if (code === 'RATE_LIMIT_EXCEEDED' && typeof seconds === 'number')
        return { code, message: t('error.RATE_LIMIT_EXCEEDED', { seconds }) };
      return { code, message: first?.message ?? error.message };
    }
    if (ServerError.is(error) || ServerParseError.is(error))
      return { code: `HTTP_${error.statusCode}`, message: t('error.NETWORK') };
    if (isUnanswered(error)) return { code: 'NETWORK', message: t('error.NETWORK') };
    return { code: 'UNKNOWN', message: error instanceof Error ? error.message : String(error) };
  };
}
