/**
 * Options of an LRUCache that keeps so many entries. It takes memory for those that it holds; with `max` it would reserve for
 * all of them when it is made: megabytes in a process that has just started.
 */
export const upTo = (
  entries: number,
): { readonly maxSize: number; readonly sizeCalculation: () => number } => ({
  maxSize: entries,
  sizeCalculation: () => 1,
});
