/** The positions of sponsored posts in a page, counted from 1 (feed document, Endpoints). */
const POSITIONS = [3, 8, 15] as const;
/** Sponsored posts of a page at most. */
export const SLOTS: number = POSITIONS.length;

/**
 * Puts sponsored posts among a page's own: each at its position, where so many edges come before it, and none that is
 * there already. The page keeps its size; what no longer fits is left for the next page.
 *
 * @param turn which of them comes first: the same turn gives the same page
 */
export function placeSponsored<Organic, Sponsored>(
  organic: readonly Organic[],
  sponsored: readonly Sponsored[],
  size: number,
  turn: number,
): ({ readonly organic: Organic } | { readonly sponsored: Sponsored; readonly behind: Organic })[] {
  const first = sponsored.length === 0 ? 0 : turn % sponsored.length;
  const waiting = [...sponsored.slice(first), ...sponsored.slice(0, first)];
  const page: ReturnType<typeof placeSponsored<Organic, Sponsored>> = [];
  let behind: Organic | undefined;
  const fillSlot = (): void => {
    const isSlot = POSITIONS.some((position) => position === page.length + 1);
    if (!isSlot || behind === undefined || waiting.length === 0 || page.length >= size) return;
    page.push({ sponsored: waiting.shift()!, behind });
  };
  for (const one of organic) {
    fillSlot();
    if (page.length >= size) return page;
    page.push({ organic: one });
    behind = one;
  }
  fillSlot();
  return page;
}
