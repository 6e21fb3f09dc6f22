import { LRUCache } from 'lru-cache';
import { type Run, spendOn } from './run.js';

const rules = new LRUCache<string, Intl.PluralRules>({ maxSize: 50, sizeCalculation: () => 1 });

/** One of two words, by the plural rules of the template's language: 0 is plural in English, and singular in French. */
export function pluralOf(count: number, one: unknown, other: unknown, run: Run): unknown {
  spendOn(run, 64);
  return ruleOf(run.reader.locale).select(count) === 'one' ? one : other;
}

function ruleOf(locale: string): Intl.PluralRules {
  const known = rules.get(locale);
  if (known) return known;
  const made = new Intl.PluralRules(locale);
  rules.set(locale, made);
  return made;
}
