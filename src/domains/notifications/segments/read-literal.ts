import type { IToken } from 'chevrotain';
import { isStorable } from '../../../platform/text.js';
import { type Literal, type Position, UNITS, type Unit } from './filter.js';
import { instantOf, readInstant } from './instants.js';

/** A fault of a filter that was found where it stands. */
export class FilterFault extends Error {
  constructor(
    readonly at: Position,
    message: string,
  ) {
    super(message);
    this.name = 'FilterFault';
  }
}

/** A text as JSON writes it; one that Postgres cannot store is refused. */
export function readText({ image }: IToken, at: Position): Literal {
  const value = fromJson(image);
  if (value === undefined)
    throw new FilterFault(at, 'control characters are written as in JSON: \\n, \\t, \\u0007');
  if (!isStorable(value)) throw new FilterFault(at, 'the text is not well-formed Unicode, or holds a NUL');
  return { kind: 'string', value, at };
}

function fromJson(image: string): string | undefined {
  try {
    return JSON.parse(image);
  } catch {
    return undefined;
  }
}

/** A number that a double can be. */
export function readNumber({ image }: IToken, isNegative: boolean, at: Position): Literal {
  const size = Number(image);
  if (!Number.isFinite(size)) throw new FilterFault(at, 'the number is too large');
  return { kind: 'number', value: isNegative && size !== 0 ? -size : size, at };
}

/** A day or an instant that the calendar has. */
export function readInstantToken({ image }: IToken, at: Position): Literal {
  const value = readInstant(image);
  if (value === null) throw new FilterFault(at, `there is no such day or time as ${image}`);
  return { kind: 'instant', value, at };
}

/** `now()`, or a moment at a distance from it, behind its sign. */
export function readNow(
  distance: { readonly sign: IToken; readonly duration: IToken } | undefined,
  at: Position,
): Literal {
  const amount = distance ? Number(distance.duration.image.slice(0, -1)) : 0;
  if (!distance || amount === 0) return { kind: 'now', sign: 1, amount: 0, unit: 's', at };
  const sign = distance.sign.image === '-' ? -1 : 1;
  return { kind: 'now', sign, amount, unit: distance.duration.image.at(-1) as Unit, at };
}

/** Which instant a literal names at the moment `now`, in milliseconds; the first or the last that there is where it names none. */
export function instantAt(literal: Extract<Literal, { kind: 'instant' | 'now' }>, now: number): string {
  if (literal.kind === 'instant') return literal.value;
  const ms = now + literal.sign * literal.amount * UNITS[literal.unit];
  return instantOf(ms) ?? (literal.sign === 1 ? '9999-12-31T23:59:59.999Z' : '0001-01-01T00:00:00.000Z');
}
