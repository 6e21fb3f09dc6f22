import { bind } from '../../../platform/bind.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { findFailed, pageOpen } from './find.js';
import type { ReconsiderDeps } from './reconsider.js';
import { discard, resend, retry, type SettleDeps } from './retry.js';

export type { DeadLetterSelection, Settlement } from './batches.js';
export type { FailedNotification } from './find.js';

/** What was given up. For admins alone, where nothing else is said: a caller must have checked that. */
export const createDeadLetters = (deps: SettleDeps & ReconsiderDeps & { readonly replicas: Queryable }) => ({
  ...bind(deps.replicas, { page: pageOpen }),
  ...bind(deps.postgres, { byId: findFailed }),
  ...bind(deps, { retry, discard, resend }),
});
