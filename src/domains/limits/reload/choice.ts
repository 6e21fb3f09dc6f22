import type { PutRules } from './puts.js';

/** The configured source's document, as it was last read. */
export interface SeenSource {
  readonly name: string;
  readonly document: string;
  readonly version: string;
  /** The newest put's sequence when any process first saw this version; null: Postgres could not be asked yet. */
  readonly seenAfter: number | null;
}

/** What a process has last seen; null: nothing yet, or nothing there. */
export interface Seen {
  readonly source: SeenSource | null;
  readonly put: PutRules | null;
}

/** A document that may come in force. */
export interface Candidate {
  /** The same for the same document from the same place. */
  readonly id: string;
  /** As `RuleSet.source` shows it. */
  readonly source: string;
  readonly document: string;
}

/**
 * The documents there are, the one that ought to be in force first. The newest put counts more than a source whose
 * version a process had seen before it; a source that is newer counts more than the put. No clock is involved, so
 * that all processes with the same source choose the same, and a put reaches those whose sources differ.
 */
export function rank({ source, put }: Seen): Candidate[] {
  const configured = source && {
    id: `source ${source.version}`,
    source: source.name,
    document: source.document,
  };
  const given = put && { id: `put ${put.sequence}`, source: `put by ${put.putBy}`, document: put.document };
  const candidates = isPutNewer({ source, put }) ? [given, configured] : [configured, given];
  return candidates.filter((candidate) => candidate !== null);
}

function isPutNewer({ source, put }: Seen): boolean {
  if (!source || !put) return put !== null;
  return source.seenAfter !== null && source.seenAfter < put.sequence;
}
