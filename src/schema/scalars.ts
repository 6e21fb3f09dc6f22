import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { GraphQLDateTimeISO, GraphQLJSONObject, GraphQLURL } from 'graphql-scalars';
import { readDecimal, readDecimalText } from '../platform/decimal.js';

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;

/** A time in UTC, RFC 3339. */
export const DateTime = new GraphQLScalarType({
  ...GraphQLDateTimeISO.toConfig(),
  name: 'DateTime',
  description: 'A point in time in UTC as RFC 3339 has it: "2026-01-31T12:00:00.000Z".',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
});

/** Read and written as it is. */
export const JSONObject = new GraphQLScalarType({
  ...GraphQLJSONObject.toConfig(),
  description: 'A JSON object: names with values of any kind.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
});

export const URLScalar = new GraphQLScalarType({
  ...GraphQLURL.toConfig(),
  description: 'An absolute URL, as text.',
  specifiedByURL: 'https://url.spec.whatwg.org/',
});

/** See `readDecimal`. */
export const Decimal = new GraphQLScalarType<string, string>({
  name: 'Decimal',
  description:
    'An exact decimal. On output a string: "12.50". On input a string or a JSON number; a number of more than 15 digits is refused, since JSON readers round it: send it as a string.',
  specifiedByURL: 'https://www.w3.org/TR/xmlschema11-2/#decimal',
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
  description: 'A wall-clock time HH:MM, 00:00 to 23:59, in the time zone of the user whom it belongs to.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  serialize: (value) => String(value),
  parseValue: (value) => {
    if (typeof value === 'string' && TIME_OF_DAY.test(value)) return value;
    throw new GraphQLError('TimeOfDay must look like 22:30');
  },
});
