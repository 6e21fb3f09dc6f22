import { type ClassType, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import type { Total } from '../platform/totals.js';

/** A connection on its way out; counted once, whichever of the two fields are selected. */
export interface Counted {
  readonly total: () => Promise<Total>;
}

/** Makes a total that is asked for twice be counted once. */
export function countedOnce<Page extends Counted>(page: Page): Page {
  let total: Promise<Total> | undefined;
  return {
    ...page,
    total: () => {
      total ??= page.total();
      return total;
    },
  };
}

/**
 * Gives a connection its total: counted only where it is selected.
 *
 * @param description of `totalCount`
 */
export function showTotal(connection: ClassType<object>, description: string) {
  @Resolver(() => connection)
  class TotalResolver {
    @FieldResolver(() => Int, { description })
    async totalCount(@Root() page: Counted): Promise<number> {
      return (await page.total()).count;
    }

    @FieldResolver(() => Boolean, {
      description:
        'Whether `totalCount` is an estimate: there are more than are counted one by one. False: it is exact.',
    })
    async totalCountIsEstimate(@Root() page: Counted): Promise<boolean> {
      return (await page.total()).isEstimate;
    }
  }
  return TotalResolver;
}
