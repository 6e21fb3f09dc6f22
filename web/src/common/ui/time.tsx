import { Suspense, useEffect, useReducer, useState } from 'react';
import { type Language, localeOf, useLanguage } from '../i18n.js';
import { loadedLater } from './loaded-later.js';

const Hint = loadedLater(() => import('./hint.js'));

interface TimeProps {
  /** ISO 8601, as the API has it. */
  readonly at: string;
  /** How long ago, instead of the date. */
  readonly relative?: boolean;
  /** `5m ago` instead of `5 minutes ago`: for lines that have little space. */
  readonly short?: boolean;
}

/** A time in the viewer's zone; in UTC where the pointer rests. */
export function Time({ at, relative = false, short = false }: TimeProps) {
  const language = useLanguage();
  const now = useNow(relative);
  const date = new Date(at);
  const text = relative ? ago(date, now, language, short ? 'narrow' : 'long') : absolute(date, language);
  const [isPointedAt, setPointedAt] = useState(false);
  const time = (
    <time dateTime={at} className="numbers" onPointerEnter={() => setPointedAt(true)}>
      {text}
    </time>
  );
  if (!isPointedAt) return time;
  const label = `${relative ? `${absolute(date, language)}, ` : ''}${date.toISOString()} (UTC)`;
  return (
    <Suspense fallback={time}>
      <Hint label={label}>{time}</Hint>
    </Suspense>
  );
}

export function absolute(date: Date, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'medium' }).format(
    date,
  );
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

export function ago(date: Date, now: number, language: Language, style: 'long' | 'narrow' = 'long'): string {
  const seconds = (date.getTime() - now) / 1_000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto', style }).format(
    Math.trunc(seconds / size),
    unit,
  );
}

/** The time of this render, which comes again every ten seconds where it is asked for. */
function useNow(isWanted: boolean): number {
  const [, renderAgain] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    if (!isWanted) return;
    const timer = setInterval(renderAgain, 10_000);
    return () => clearInterval(timer);
  }, [isWanted]);
  return Date.now();
}
