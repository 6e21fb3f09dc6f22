import type { Caller } from '../../../platform/auth/caller.js';
import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refusedAll, type UserError } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { hasAtMost, isStorable } from '../../../platform/text.js';
import type { Freshness } from '../freshness.js';
import { isEmail, isPhone } from '../preferences/settings.js';
import { type Channel, rulesOfChannel } from '../types.js';
import { hasSuppressions } from './address-event.js';
import { sql as statements } from './change.sql.js';
import { invalidateAddresses } from './invalidate.js';
import { type AddressSuppression, findByAddress } from './list.js';

interface ChangeDeps {
  readonly postgres: Queryable;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly freshness: Pick<Freshness, 'userChanged'>;
}

/** An address of a channel. */
interface Named {
  readonly channel: Channel;
  readonly address: string;
}

const MAX_NOTE = 500;

/**
 * Adds an address to the suppression list, on an admin's word. One that is on it keeps its entry; but where that is a complaint, the
 * admin's takes its place, since critical notifications pass complaints.
 *
 * Refused, every fault at once, with CHANNEL_WITHOUT_ADDRESSES, EMAIL_INVALID, PHONE_INVALID or NOTE_INVALID.
 *
 * @returns the entry that holds
 */
export async function addSuppression(
  deps: ChangeDeps,
  by: Caller,
  { channel, address, note }: Named & { readonly note?: string | undefined },
): Promise<Result<AddressSuppression>> {
  const faults = [...checkAddress({ channel, address }), ...checkNote(note)];
  if (faults.length > 0) return refusedAll(faults);
  const { userId } = by.viewer;
  const { rowCount } = await deps.postgres.query(statements.add, [
    ...[channel, address, note ?? null],
    ...[userId, new Date(deps.clock.now())],
  ]);
  await invalidateAddresses(deps, [address]);
  const [entry] = await findByAddress(deps.postgres, address, channel);
  // Somebody has removed it in this moment.
  if (!entry) return addSuppression(deps, by, { channel, address, note });
  const { suppressionId, cause } = entry;
  const whose = { by: userId, correlationId: by.correlationId, channel, suppressionId, cause };
  if (rowCount) deps.logger.info(whose, 'an address was added to the suppression list');
  return ok(entry);
}

/**
 * Removes an address from the suppression list: the next message goes there again, and soft bounces are counted anew. The entry stays
 * in the table for a year, with who removed it, when and why.
 *
 * Refused, every fault at once, with CHANNEL_WITHOUT_ADDRESSES, EMAIL_INVALID, PHONE_INVALID or NOTE_INVALID.
 *
 * @returns the id of the entry that it was on the list by; null where it was not on it
 */
export async function removeSuppression(
  deps: ChangeDeps,
  by: Caller,
  { channel, address, note }: Named & { readonly note: string },
): Promise<Result<string | null>> {
  const faults = [...checkAddress({ channel, address }), ...checkNote(note)];
  if (faults.length > 0) return refusedAll(faults);
  const { userId } = by.viewer;
  const values = [channel, address, new Date(deps.clock.now()), userId, note];
  const { rows } = await deps.postgres.query(statements.remove, values);
  // Also where nothing was removed: an earlier call may have been cut off here.
  await invalidateAddresses(deps, [address]);
  const removed = rows[0];
  const whose = { by: userId, correlationId: by.correlationId, channel, ...removed };
  if (removed) deps.logger.info(whose, 'an address was removed from the suppression list');
  return ok(removed?.suppressionId ?? null);
}

function checkAddress({ channel, address }: Named): UserError[] {
  if (!hasSuppressions(channel)) {
    const message = 'Only addresses of mail and SMS can be on the list';
    return [{ code: 'CHANNEL_WITHOUT_ADDRESSES', message, path: ['input', 'channel'] }];
  }
  const path = ['input', 'address'];
  if (rulesOfChannel(channel).address === 'email') {
    return isEmail(address)
      ? []
      : [{ code: 'EMAIL_INVALID', message: 'address must be a mail address', path }];
  }
  const message = 'address must be a number in E.164, like +4915112345678';
  return isPhone(address) ? [] : [{ code: 'PHONE_INVALID', message, path }];
}

function checkNote(note: string | undefined): UserError[] {
  if (note === undefined || (note.trim() !== '' && hasAtMost(note, MAX_NOTE) && isStorable(note))) return [];
  const message = `A note has 1 to ${MAX_NOTE} characters`;
  return [{ code: 'NOTE_INVALID', message, path: ['input', 'note'] }];
}
