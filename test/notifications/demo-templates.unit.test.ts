import { expect, it } from 'vitest';
import { makeTemplates } from '../../src/demo/templates.js';
import { checkTemplate } from '../../src/domains/notifications/templates/check.js';

it('the demo’s templates are such as could be saved', () => {
  const templates = makeTemplates();
  expect(templates.length).toBeGreaterThan(40);
  for (const { type, ...template } of templates) {
    const own = Object.entries(template).filter(([, value]) => value !== null);
    const draft = { ...Object.fromEntries(own), notificationType: type, activate: true };
    expect(checkTemplate(draft as Parameters<typeof checkTemplate>[0])).toEqual([]);
  }
});
