import { keyOf } from './mailbox.js';
import type { Mailbox } from './tasks.js';

/** A mailbox that this process drains. */
export interface OwnDrain {
  /** Ends it where nobody was woken for the mailbox since this was asked last; else it has to be looked at again. In one step. */
  endUnlessWoken(): boolean;
  /**
   * Ends it: who is woken from now on drains the mailbox anew.
   *
   * @returns whether somebody was woken, for whom nobody looks any more
   */
  end(): boolean;
}

/** Which mailboxes this process drains: each once at a time, whatever jobs name it. */
export interface OwnDrains {
  /**
   * Begins to drain a mailbox.
   *
   * @returns null where that is under way: then it is noted there that somebody was woken
   */
  begin(mailbox: Mailbox): OwnDrain | null;
}

export function createOwnDrains(): OwnDrains {
  const underWay = new Map<string, { isWoken: boolean }>();
  return {
    begin(mailbox) {
      const key = keyOf(mailbox);
      const other = underWay.get(key);
      if (other) {
        other.isWoken = true;
        return null;
      }
      const own = { isWoken: false };
      underWay.set(key, own);
      return {
        endUnlessWoken() {
          if (!own.isWoken) return underWay.delete(key);
          own.isWoken = false;
          return false;
        },
        end() {
          underWay.delete(key);
          return own.isWoken;
        },
      };
    },
  };
}
