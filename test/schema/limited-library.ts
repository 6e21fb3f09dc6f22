import { type GraphQLSchema, specifiedDirectives } from 'graphql';
import {
  Arg,
  Authorized,
  buildSchema,
  Directive,
  Extensions,
  Field,
  InterfaceType,
  ObjectType,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import type { FieldLimiter } from '../../src/domains/limits/index.js';
import { PublicError } from '../../src/platform/errors.js';
import { type FieldCaller, pointsOf, rateLimitDefinition } from '../../src/schema/rate-limit-directive.js';

@InterfaceType()
abstract class Named {
  @Field({ simple: true })
  name: string;
}

@ObjectType({ implements: Named, simpleResolvers: true })
class Book extends Named {
  readonly __typename = 'Book';
  @Directive('@rateLimit(limit: 5, duration: 10)')
  @Field()
  text: string;
}

export const book: Book = {
  __typename: 'Book',
  name: 'Emma',
  text: 'Emma Woodhouse, handsome, clever and rich',
};

@Resolver()
class Library {
  @Directive('@rateLimit(limit: 2, duration: 60)')
  @Query(() => String, { nullable: true })
  search(): string {
    return 'found';
  }

  @Directive('@rateLimit(limit: 2, duration: 60)')
  @Query(() => String, { nullable: true })
  archive(): string {
    return 'dust';
  }

  @Directive('@rateLimit(limit: 2, duration: 60)')
  @Extensions(pointsOf(({ old }: { old?: boolean }) => (old ? 1 : 0)))
  @Query(() => String, { nullable: true })
  issue(@Arg('old', () => Boolean, { nullable: true }) old: boolean | null): string {
    return old ? 'of 1816' : 'of today';
  }

  @Authorized()
  @Directive('@rateLimit(limit: 2, duration: 60)')
  @Query(() => String, { nullable: true })
  vault(): string {
    return 'gold';
  }

  @Query(() => String)
  plain(): string {
    return 'plain';
  }

  @Query(() => Named)
  lent(): Named {
    return book;
  }

  @Subscription(() => String, {
    async *subscribe() {
      yield 'one';
      yield 'two';
    },
  })
  arrivals(@Root() title: string): string {
    return title;
  }
}

/** Counts as the real one does, in memory and in one endless window. */
export function countingFields() {
  const used = new Map<string, number>();
  const asked: Parameters<FieldLimiter['consume']>[0][] = [];
  const fields: FieldLimiter = {
    async consume(use) {
      asked.push(use);
      const counter = `${use.field} of ${use.owner}`;
      const count = (used.get(counter) ?? 0) + use.charge;
      if (count > use.limit) return 12_300;
      used.set(counter, count);
      return null;
    },
  };
  return { fields, asked };
}

const never: AsyncIterator<never> = { next: () => new Promise(() => undefined) };

/** The library's schema, in which nothing is limited yet. */
export async function buildLibrary(): Promise<GraphQLSchema> {
  const schema = await buildSchema({
    resolvers: [Library],
    orphanedTypes: [Book],
    directives: [...specifiedDirectives, rateLimitDefinition],
    authChecker: ({ context }: { context: FieldCaller }) => {
      if (!context.viewer) throw new PublicError('UNAUTHENTICATED', 'This needs a token');
      return true;
    },
    pubSub: { publish: () => undefined, subscribe: () => ({ [Symbol.asyncIterator]: () => never }) },
    validate: false,
  });
  const type = schema.getType('Named');
  Object.assign(type ?? {}, { resolveType: (value: Book) => value.__typename });
  return schema;
}
