import { hash } from 'node:crypto';
import type { Tier, TierReading } from '../../platform/gate.js';

/** Policies of one response, as header values. */
export interface Policies {
  /** `200;w=60, 10;w=1` */
  readonly plain: string;
  /** `"per_minute user_id";q=200;w=60, "per_second user_id";q=10;w=1` */
  readonly named: string;
  /** `"per_minute user_id"` */
  readonly decisiveName: string;
}

interface Kept {
  readonly tiers: readonly Tier[];
  readonly policies: Policies;
}

/** The decisive policy, and as many others: header fields must stay small. */
const MOST_OTHERS = 8;
/** Lists that are kept of each decisive tier: callers differ in the other tiers that hold for them. */
const KEPT_LISTS = 16;
const LONGEST_NAME = 80;
/** Of a digest, in hex. */
const DIGEST_LENGTH = 12;

/** By the decisive tier. Tiers live as long as their rules do. */
const known = new WeakMap<Tier, Kept[]>();

/**
 * The policies that hold, the decisive one first. A policy is named by its tier and its rule, always the same whichever
 * others are listed. A bucket's `q` is what it regains in a window, and `burst` what it holds. What is unlimited and
 * admits nothing has 0.
 */
export function policiesOf(decisive: TierReading, readings: readonly TierReading[]): Policies {
  const kept = known.get(decisive.tier);
  const same = kept?.find(({ tiers }) => areTiersOf(readings, tiers));
  if (same) return same.policies;
  const tiers = readings.map(({ tier }) => tier);
  const policies = write(decisive.tier, tiers);
  if (!kept) known.set(decisive.tier, [{ tiers, policies }]);
  else if (kept.length < KEPT_LISTS) kept.push({ tiers, policies });
  return policies;
}

function areTiersOf(readings: readonly TierReading[], tiers: readonly Tier[]): boolean {
  if (readings.length !== tiers.length) return false;
  for (let i = 0; i < tiers.length; i += 1) if (readings[i]?.tier !== tiers[i]) return false;
  return true;
}

function write(decisive: Tier, tiers: readonly Tier[]): Policies {
  const others = tiers.filter((tier) => tier !== decisive).slice(0, MOST_OTHERS);
  const shown = [decisive, ...others];
  return {
    plain: shown.map(({ perWindow, windowSeconds }) => `${orNone(perWindow)};w=${windowSeconds}`).join(', '),
    named: shown.map((tier) => `${nameOf(tier)};${numbersOf(tier)}`).join(', '),
    decisiveName: nameOf(decisive),
  };
}

function numbersOf({ limit, perWindow, windowSeconds }: Tier): string {
  const burst = limit === perWindow ? '' : `;burst=${limit}`;
  return Number.isFinite(limit) ? `q=${perWindow};w=${windowSeconds}${burst}` : `q=0;w=${windowSeconds}`;
}

const orNone = (limit: number): number => (Number.isFinite(limit) ? limit : 0);

/**
 * A structured field's String (RFC 9651, section 3.3.3). What it cannot hold is percent-encoded; a name that is not
 * whole any more, or might be another's then, ends in its digest.
 */
function nameOf({ name, rule }: Tier): string {
  const full = `${name} ${rule}`;
  const text = full.length <= LONGEST_NAME && /^[\x20-\x7e]*$/.test(full) ? full : shortened(full);
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function shortened(full: string): string {
  const printable = full
    .slice(0, LONGEST_NAME)
    .toWellFormed()
    .replace(/[^\x20-\x7e]/gu, encodeURIComponent);
  return `${printable} ${hash('sha256', full).slice(0, DIGEST_LENGTH)}`;
}
