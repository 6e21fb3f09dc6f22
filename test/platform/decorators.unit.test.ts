import { graphql } from 'graphql';
import { buildSchema, Field, ObjectType, Query, Resolver } from 'type-graphql';
import { expect, test } from 'vitest';

@ObjectType()
class Greeting {
  // No type is named: it is read from the metadata that the compiler must emit.
  @Field()
  text!: string;
}

@Resolver()
class GreetingResolver {
  @Query(() => Greeting)
  greeting(): Greeting {
    return { text: 'hello' };
  }
}

test('tests see type-graphql classes as the build does: with their types, and in one graphql', async () => {
  const schema = await buildSchema({ resolvers: [GreetingResolver], validate: false });
  const answer = await graphql({ schema, source: '{ greeting { text } }' });
  expect(JSON.parse(JSON.stringify(answer))).toEqual({ data: { greeting: { text: 'hello' } } });
});
