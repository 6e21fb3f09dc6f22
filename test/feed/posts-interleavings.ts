import { setImmediate as nextTurn } from 'node:timers/promises';

/** What one of several runs side by side waits at before each step that others can see. */
export type Gate = () => Promise<void>;
export type Actor = (gate: Gate) => Promise<unknown>;

/** Chooses who goes next: a number below `choices`. */
export type Choose = (choices: number) => number;

/** Runs actors side by side, one step at a time, in the order that `choose` says. */
export async function interleave(actors: readonly Actor[], choose: Choose): Promise<void> {
  const waiting = new Map<number, () => void>();
  const unfinished = new Set(actors.keys());
  const running = actors.map((actor, index) =>
    actor(() => new Promise((go) => waiting.set(index, go))).finally(() => unfinished.delete(index)),
  );
  while (unfinished.size > 0) {
    while (waiting.size < unfinished.size) await nextTurn();
    const ready = [...waiting.keys()].sort((a, b) => a - b);
    if (ready.length === 0) break;
    const next = ready[choose(ready.length)]!;
    const go = waiting.get(next)!;
    waiting.delete(next);
    go();
    await nextTurn();
  }
  await Promise.all(running);
}

/** Runs every order there is, each once; returns how many there were. */
export async function everyInterleaving(run: (choose: Choose) => Promise<void>): Promise<number> {
  let path: { taken: number; choices: number }[] = [];
  for (let runs = 1; ; runs += 1) {
    let depth = 0;
    await run((choices) => {
      if (depth === path.length) path.push({ taken: 0, choices });
      const step = path[depth]!;
      depth += 1;
      return step.taken;
    });
    while (path.length > 0 && path.at(-1)!.taken + 1 === path.at(-1)!.choices) path.pop();
    if (path.length === 0) return runs;
    path = [...path.slice(0, -1), { ...path.at(-1)!, taken: path.at(-1)!.taken + 1 }];
  }
}
