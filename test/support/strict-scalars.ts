import { specifiedScalarTypes } from 'graphql';

/** Compiled queries give leaves out as resolvers give them: what graphql-js would have to turn into another is a fault. */
for (const scalar of specifiedScalarTypes) {
  const { serialize } = scalar;
  scalar.serialize = (value) => {
    const told: unknown = serialize(value);
    if (told !== value)
      throw new TypeError(`A ${typeof value} was given for ${scalar.name}: ${String(value)}`);
    return told;
  };
}
