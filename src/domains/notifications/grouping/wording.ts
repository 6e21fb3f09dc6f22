import type { Variables } from '../templates/render.js';

/** Whom a text is about: the names that it shows, the newest first, and how many they are in all. */
export interface People {
  readonly names: readonly string[];
  readonly count: number;
}

/**
 * The variables of texts about people who did the same:
 *
 * - `actors`: all of them, in the text's language: "Ann", "Ann and Ben", "Ann and 11 others"
 * - `actor`: the names that are shown
 * - `others`: how many are not shown; 0 where all are
 * - `count`: how many there are
 */
export function wordingOf({ names, count }: People, language: string): Variables {
  const others = Math.max(0, count - names.length);
  const listed = others === 0 ? listOf(names, language) : names.join(', ');
  return {
    actors: others === 0 ? listed : withOthers(names, others, language),
    actor: listed,
    others,
    count,
  };
}

/** As `wordingOf` of one person, which is the same in every language. */
export const wordingOfOne = (name: string): Variables => ({ actors: name, actor: name, others: 0, count: 1 });

/** One, and several others. */
const OTHERS: Readonly<Record<string, readonly [one: string, several: (count: string) => string]>> = {
  en: ['1 other', (count) => `${count} others`],
  de: ['1 weitere Person', (count) => `${count} weitere`],
  es: ['1 persona más', (count) => `${count} personas más`],
  fr: ['1 autre', (count) => `${count} autres`],
  pt: ['mais 1 pessoa', (count) => `mais ${count} pessoas`],
};

function withOthers(names: readonly string[], others: number, language: string): string {
  const count = others.toLocaleString(language);
  const [one, several] = OTHERS[language.split('-')[0]!] ?? [];
  if (!one || !several) return `${names.join(', ')} +${count}`;
  return listOf([...names, others === 1 ? one : several(count)], language);
}

const lists = new Map<string, Intl.ListFormat>();

/** "Ann and Ben", "Ann, Ben and Cat". Languages are those of templates: few. */
function listOf(names: readonly string[], language: string): string {
  // What is American in the default of English is the comma before the last "and".
  const locale = language === 'en' ? 'en-GB' : language;
  const format = lists.get(locale) ?? new Intl.ListFormat(locale, { type: 'conjunction' });
  lists.set(locale, format);
  return format.format(names);
}
