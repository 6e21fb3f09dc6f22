import { useSyncExternalStore } from 'react';
import de from './messages/de.json';
import en from './messages/en.json';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

const KEY = 'tidings.language';
const listeners = new Set<() => void>();
let language: Language = (localStorage.getItem(KEY) ?? navigator.language).startsWith('de') ? 'de' : 'en';
document.documentElement.lang = language;

export function setLanguage(next: Language): void {
  language = next;
  localStorage.setItem(KEY, next);
  document.documentElement.lang = next;
  for (const listener of listeners) listener();
}

export const useLanguage = (): Language => useSyncExternalStore(subscribe, () => language);

/** How dates are written: as in the viewer's country, where the browser names one for the language. */
export const localeOf = (of: Language): string =>
  navigator.languages.find((one) => one.startsWith(`${of}-`)) ?? of;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Texts by name; a text may hold texts: `list.empty` is `{ "list": { "empty": "…" } }`. */
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

export interface Translate<T> {
  (key: Keys<T>, values?: Readonly<Record<string, unknown>>): string;
  /** The text of a key that is made of what the API says, such as `cause.TIMEOUT`; undefined where there is none. */
  known(key: string): string | undefined;
}

/**
 * The texts of one part of the app, from its `en.json` and `de.json`, which have the same keys. Declared once a part:
 * `const useTexts = defineTexts(en, de)`, then `const t = useTexts(); t('list.empty')`.
 * `{{name}}` is a value; `{{count}}` also chooses between `key_one` and `key_other`, by the rules of the language.
 */
export function defineTexts<T extends Messages>(english: T, german: NoInfer<T>): () => Translate<T> {
  const translators: Readonly<Record<Language, Translate<T>>> = {
    en: translator('en', english),
    de: translator('de', german),
  };
  return () => translators[useLanguage()];
}

function translator<T extends Messages>(of: Language, messages: T): Translate<T> {
  const plurals = new Intl.PluralRules(of);
  const numbers = new Intl.NumberFormat(of);
  const translate = (key: string, values: Readonly<Record<string, unknown>> = {}): string => {
    const form = typeof values.count === 'number' ? `${key}_${plurals.select(values.count)}` : key;
    const text = textAt(messages, form) ?? textAt(messages, key) ?? key;
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name];
      return typeof value === 'number' ? numbers.format(value) : String(value ?? '');
    });
  };
  return Object.assign(translate, { known: (key: string) => textAt(messages, key) });
}

function textAt(messages: Messages, key: string): string | undefined {
  let at: string | Messages | undefined = messages;
  for (const part of key.split('.')) at = typeof at === 'object' ? at[part] : undefined;
  return typeof at === 'string' ? at : undefined;
}

export const useCommonTexts = defineTexts(en, de);
