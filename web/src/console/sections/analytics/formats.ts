import { useMemo } from 'react';
import { useLanguage } from '../../../common/i18n.js';

type Value = number | null | undefined;

/** Figures in the language of the viewer; "–" where there is none. */
export function useFormats() {
  const language = useLanguage();
  return useMemo(() => {
    const numbers = new Intl.NumberFormat(language);
    const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
    const seconds = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });
    const changes = new Intl.NumberFormat(language, { signDisplay: 'exceptZero', maximumFractionDigits: 1 });
    const known = (value: Value, write: (known: number) => string): string =>
      typeof value === 'number' ? write(value) : '–';
    return {
      number: (value: Value) => known(value, (n) => numbers.format(n)),
      percent: (value: Value) => known(value, (n) => percents.format(n)),
      duration: (ms: Value) =>
        known(ms, (n) => (n < 1_000 ? `${seconds.format(n)} ms` : `${seconds.format(n / 1_000)} s`)),
      signed: (value: number) => changes.format(value),
    };
  }, [language]);
}
