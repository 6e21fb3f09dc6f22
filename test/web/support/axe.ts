import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** Resolves once all animations of the page have ended; endless and paused ones are left out. */
const settled = `Promise.allSettled(
  document.getAnimations().filter(({ effect, playState }) => playState === 'running' && Number.isFinite(effect.getComputedTiming().endTime)).map(({ finished }) => finished)
).then(() => undefined)`;

/** Expects that axe finds nothing on the page once its animations have ended. Mails, which are in frames, are not checked. */
export async function axe(page: Page): Promise<void> {
  await page.evaluate(settled);
  // As the debugger does: the content policy of the page does not hold for it.
  await page.evaluate(source);
  const violations = await page.evaluate<readonly Violation[]>(
    'axe.run(document, { iframes: false, resultTypes: ["violations"] }).then((result) => result.violations)',
  );
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  ${target.join(' ')}\n  ${failureSummary}`),
  );
  expect(found, `accessibility of ${page.url()}`).toEqual([]);
}
