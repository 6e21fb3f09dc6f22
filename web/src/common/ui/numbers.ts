import { type Language, useLanguage } from '../i18n.js';

/** Numbers as the viewer's language writes them. */
export function useNumbers() {
  const language = useLanguage();
  return {
    /** With one decimal place at most; two below 1. */
    number: (value: number): string => formatNumber(value, language),
    percent: (part: number): string =>
      new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(part),
    /** Milliseconds, in the unit that makes them short. */
    duration: (ms: number): string => formatDuration(ms, language),
  };
}

export function formatNumber(value: number, language: Language): string {
  const maximumFractionDigits = Math.abs(value) < 1 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  return new Intl.NumberFormat(language, { maximumFractionDigits }).format(value);
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

export function formatDuration(ms: number, language: Language): string {
  const [unit, size] = UNITS.find(([, length]) => ms >= length) ?? ['ms', 1];
  return `${formatNumber(ms / size, language)} ${unit}`;
}
