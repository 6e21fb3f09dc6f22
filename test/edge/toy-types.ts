import { GraphQLEnumType, GraphQLScalarType, Kind } from 'graphql';

export const Colour = new GraphQLEnumType({
  name: 'Colour',
  values: { RED: { value: 'red' }, BLUE: { value: 'blue' } },
});
export const Day = new GraphQLScalarType<Date, string>({
  name: 'Day',
  serialize: (value) => (value as Date).toISOString().slice(0, 10),
  parseValue: (value) => new Date(String(value)),
  parseLiteral: (node) => new Date(node.kind === Kind.STRING ? node.value : 0),
});
