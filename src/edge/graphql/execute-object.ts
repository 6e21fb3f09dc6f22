import { executeFields } from './execute-fields.js';
import { generateObject, isCodable } from './generate-object.js';
import type { KeptPlans, Variant } from './kept-plans.js';
import type { ExecuteObject, ObjectPlan } from './plan.js';

/**
 * Executes objects of a selection field by field, and by generated code once so many were executed.
 *
 * @param plans decides when code may be generated
 * @param variant that the selection belongs to
 */
export function executeObject(
  plan: Omit<ObjectPlan, 'execute'>,
  plans: KeptPlans,
  variant: Variant,
): ExecuteObject {
  const canGenerate = isCodable(plan.fields);
  let objects = 0;
  let generated: ExecuteObject | undefined;
  return (run, source, path) => {
    objects += 1;
    if (!generated && canGenerate && objects > plans.generateAfter && plans.mayGenerate(variant))
      generated = plans.generate(() => generateObject(plan));
    if (generated && typeof source === 'object' && source !== null) return generated(run, source, path);
    return executeFields(run, plan, source, path);
  };
}
