import { LRUCache } from 'lru-cache';
import { type Run, spendOn } from './run.js';

const rules = new LRUCache<string, Intl.PluralRules>({ maxSize: 50, sizeCalculation: () => 1 });

/** One of two words, by the plural rules of the template's language: 0 is plural in English, and singular in French. */
export function pluralOf(count: number, one: unknown, other: unknown, run: Run): unknown {
  spendOn(run, 64);
  const { locale } = run.reader;
  let rule = rules.get(locale);
  if (!rule) rules.set(locale, (rule = new Intl.PluralRules(locale)));
  return rule.select(count) === 'one' ? one : other;
}
