import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import de from './messages/de.json';
import en from './messages/en.json';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

const KEY = 'tidings.language';

function firstLanguage(): Language {
  const chosen = localStorage.getItem(KEY) ?? navigator.language.slice(0, 2);
  return chosen === 'de' ? 'de' : 'en';
}

const lng = firstLanguage();
await i18next.use(initReactI18next).init({
  lng,
  fallbackLng: 'en',
  ns: ['common'],
  defaultNS: 'common',
  resources: { en: { common: en }, de: { common: de } },
  interpolation: { escapeValue: false },
});
document.documentElement.lang = lng;

export function setLanguage(language: Language): void {
  localStorage.setItem(KEY, language);
  document.documentElement.lang = language;
  void i18next.changeLanguage(language);
}

/** A text may hold texts: `list.empty` is `{ "list": { "empty": "…" } }`. */
export interface Messages {
  readonly [key: string]: string | Messages;
}

type Keys<T> = {
  [K in keyof T & string]: T[K] extends string
    ? K extends `${infer P}_${'one' | 'other'}`
      ? P | K
      : K
    : `${K}.${Keys<T[K]>}`;
}[keyof T & string];

type Translate<T> = (key: Keys<T>, values?: Record<string, unknown>) => string;

/**
 * The texts of one part of the app, from its `en.json` and `de.json`, which have the same keys. Declared once a part:
 * `const useTexts = defineTexts('campaigns', en, de)`, then `const t = useTexts(); t('list.empty')`.
 * `{{count}}` chooses between `key_one` and `key_other`.
 */
export function defineTexts<T extends Messages>(part: string, en: T, de: NoInfer<T>): () => Translate<T> {
  i18next.addResourceBundle('en', part, en);
  i18next.addResourceBundle('de', part, de);
  return () => useTranslation(part).t as unknown as Translate<T>;
}

export const useCommonTexts = (): Translate<typeof en> =>
  useTranslation('common').t as unknown as Translate<typeof en>;

export const useLanguage = (): Language => (useTranslation().i18n.language === 'de' ? 'de' : 'en');
