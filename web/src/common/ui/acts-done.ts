let acts = 0;

/** How many acts were done so far: what was read before the last one may not be so any more. */
export const actsDone = (): number => acts;

export function countAct(): void {
  acts += 1;
}
