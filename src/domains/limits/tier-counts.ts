import { Counter, type Registry } from 'prom-client';
import type { WithdrawnNames } from './withdrawn-names.js';

/** Counts of something by the label `tier`. A withdrawn rule's is shown once more, and then no longer. */
export function createTierCounts(
  registry: Registry,
  withdrawn: WithdrawnNames,
  metric: { readonly name: string; readonly help: string },
): { count(tier: string): void } {
  const tallies = new Map<string, number>();
  new Counter({
    ...metric,
    labelNames: ['tier'],
    registers: [registry],
    collect() {
      for (const [tier, tally] of tallies) {
        if (tally === 0 && withdrawn.rules().has(tier)) {
          tallies.delete(tier);
          this.remove({ tier });
          continue;
        }
        this.inc({ tier }, tally);
        tallies.set(tier, 0);
      }
    },
  });
  return {
    count(tier) {
      withdrawn.look();
      tallies.set(tier, (tallies.get(tier) ?? 0) + 1);
    },
  };
}
