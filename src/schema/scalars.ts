import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { GraphQLDateTimeISO, GraphQLJSONObject, GraphQLURL } from 'graphql-scalars';
import { readDecimal, readDecimalText } from '../platform/decimal.js';

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;

/** A time in UTC, RFC 3339. */
export const DateTime = new GraphQLScalarType({
  ...GraphQLDateTimeISO.toConfig(),
  name: 'DateTime',
  description: 'A point in time in UTC, RFC 3339.',
});
export const JSONObject = GraphQLJSONObject;
export const URLScalar = GraphQLURL;

/** See `readDecimal`. */
export const Decimal = new GraphQLScalarType<string, string>({
  name: 'Decimal',
  description:
    'An exact decimal, a string on output: "12.50". On input a string or a JSON number; a number that JSON would round is refused, never rounded silently: more than 15 digits come as a string.',
  serialize: (value) => String(value),
  parseValue: (value) => orGraphQLError(() => readDecimal(value)),
  parseLiteral: (node) =>
    orGraphQLError(() => {
      const written = node.kind === Kind.STRING || node.kind === Kind.INT || node.kind === Kind.FLOAT;
      return written ? readDecimalText(node.value) : readDecimal(undefined);
    }),
});

function orGraphQLError(read: () => string): string {
  try {
    return read();
  } catch (error) {
    throw error instanceof RangeError ? new GraphQLError(error.message) : error;
  }
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
