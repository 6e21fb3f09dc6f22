import { z } from 'zod';

/**
 * A list of a body that may have `most` items. Of a longer one only as much is read as it takes to refuse it: a body has space for a
 * million items, and each that is wrong would be a fault of its own. Its reader refuses what has more than `most`.
 *
 * @param list by which the items are read
 */
export const listUpTo = <List extends z.ZodType>(most: number, list: List) =>
  z.preprocess((given) => (Array.isArray(given) ? given.slice(0, most + 1) : given), list);
