import { bind } from '../../../platform/bind.js';
import type { Clock } from '../../../platform/clock.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Postgres, Queryable } from '../../../platform/postgres/postgres.js';
import type { Freshness } from '../freshness.js';
import { addSuppression, removeSuppression } from './change.js';
import { recordChoices } from './choose.js';
import { findSuppressions, pageSuppressions } from './list.js';

export { type SuppressionCause, suppressionCauses } from './cause.js';
export type { AddressChoice } from './choose.js';
export type { AddressSuppression } from './list.js';

/** The suppression list, for admins. What providers report of deliveries is written by apply_address_events. */
export const createSuppressions = (deps: {
  readonly postgres: Postgres;
  readonly replicas: Queryable;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly freshness: Pick<Freshness, 'userChanged'>;
}) => ({
  ...bind(deps, { add: addSuppression, remove: removeSuppression }),
  /** What owners of addresses answered, as providers call back. */
  ...bind(deps, { choose: recordChoices }),
  ...bind(deps.replicas, { page: pageSuppressions }),
  ...bind(deps.postgres, { byId: findSuppressions }),
});
