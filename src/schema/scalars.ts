import { Big } from 'big.js';
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { GraphQLDateTimeISO, GraphQLJSONObject, GraphQLURL } from 'graphql-scalars';

const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const MAX_DIGITS = 40;
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;

/** A time in UTC, RFC 3339. */
export const DateTime = new GraphQLScalarType({
  ...GraphQLDateTimeISO.toConfig(),
  name: 'DateTime',
  description: 'A point in time in UTC, RFC 3339.',
});
export const JSONObject = GraphQLJSONObject;
export const URLScalar = GraphQLURL;

/**
 * An exact decimal: text inside, so that no digit is lost. JSON numbers pass through a double before a scalar sees
 * them, so a number of more than 15 significant digits is refused and must come as a string.
 */
export const Decimal = new GraphQLScalarType<string, string>({
  name: 'Decimal',
  description:
    'An exact decimal as a JSON number or string on input (never rounded silently), a string on output: "12.50".',
  serialize: (value) => String(value),
  parseValue: readDecimal,
  parseLiteral: (node) => {
    if (node.kind === Kind.STRING || node.kind === Kind.INT || node.kind === Kind.FLOAT)
      return readDecimalText(node.value);
    throw new GraphQLError('Decimal must be a number or a string');
  },
});

function readDecimal(value: unknown): string {
  if (typeof value === 'string') return readDecimalText(value);
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new GraphQLError('Decimal must be a number or a string');
  const exact = new Big(value);
  if (exact.c.length > 15) throw new GraphQLError('A Decimal of more than 15 digits must come as a string');
  return exact.toFixed();
}

function readDecimalText(text: string): string {
  if (text.length > MAX_DIGITS || !DECIMAL.test(text)) throw new GraphQLError('Decimal must look like 12.50');
  return text;
}

/** Wall-clock time, kept as `HH:MM`. */
export const TimeOfDay = new GraphQLScalarType<string, string>({
  name: 'TimeOfDay',
  description: "Wall-clock time HH:MM, 24 hours, in the user's own time zone.",
  serialize: (value) => String(value),
  parseValue: (value) => {
    if (typeof value === 'string' && TIME_OF_DAY.test(value)) return value;
    throw new GraphQLError('TimeOfDay must look like 22:30');
  },
});
