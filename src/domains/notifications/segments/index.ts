import type { Caller } from '../../../platform/auth/caller.js';
import { bind } from '../../../platform/bind.js';
import type { Clock } from '../../../platform/clock.js';
import type { Postgres } from '../../../platform/postgres/postgres.js';
import { findAttributes } from './attribute-store.js';
import type { UserAttributes } from './attributes.js';
import { deleteAttribute, listAttributes, stripDeleted } from './delete-attribute.js';
import { createEstimates } from './estimate.js';
import { setUserAttributes } from './set-attributes.js';

export { type AttributeType, BUILT_INS } from './attribute-types.js';
export type { UserAttributes } from './attributes.js';
export { type AudiencePage, audiencePage } from './audience.js';
export { checkFilter, type Segment } from './check-filter.js';
export type { Estimates, SegmentEstimate } from './estimate.js';

/** What producers and admins set of users, and whom they mean by it. */
export function createSegments(deps: { readonly postgres: Postgres; readonly clock: Clock }) {
  const estimates = createEstimates(deps);
  return {
    /** As `setUserAttributes`. Estimates that are asked for afterwards see it; those of other processes within 30 s. */
    async setAttributes(caller: Caller, users: readonly UserAttributes[]) {
      const result = await setUserAttributes(deps, caller, users);
      estimates.forget();
      return result;
    },
    ...bind(deps, { attributes: listAttributes, stripDeleted }),
    attributesOf: (userId: string) => findAttributes(deps.postgres, userId),
    /** As `deleteAttribute`. */
    async deleteAttribute(caller: Caller, name: string) {
      const result = await deleteAttribute(deps, caller, name);
      estimates.forget();
      return result;
    },
    /** See `Estimates`. */
    estimate: estimates.estimate,
    estimateOf: estimates.estimateOf,
  };
}
