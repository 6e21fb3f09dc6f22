import { useLanguage } from '../common/i18n.js';

/** Numbers as they stand beside icons: 1.2K. */
export function useCount(): (count: number) => string {
  const language = useLanguage();
  return (count) =>
    new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(count);
}
