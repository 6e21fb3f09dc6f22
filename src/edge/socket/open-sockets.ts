import type { Viewer } from '../../platform/auth/auth.js';
import type { EdgeMetrics } from '../metrics.js';
import type { SocketLimits } from '../options.js';

/** Which limit refuses a socket. */
export type FullBy = 'process' | 'user' | 'network';

export type OpenSockets = ReturnType<typeof createOpenSockets>;

/** The place of one socket among those that are open. */
export interface SocketPlace {
  /** The socket signed in. @returns whether its user may have one more; if not, it stays where it was */
  moveTo(viewer: Viewer): boolean;
  /** The socket is closed. */
  leave(): void;
}

/**
 * Counts the sockets that this process has open: a signed-in one for its user, any other for its network. Until it signs in a
 * socket counts for its network, so that many users behind one address take up its places for a moment only.
 */
export function createOpenSockets(
  limits: SocketLimits,
  metrics: Pick<EdgeMetrics, 'sockets' | 'socketRefused'>,
) {
  const counts = new Map<string, number>();
  let open = 0;

  const isFull = (owner: Owner): boolean => (counts.get(owner.key) ?? 0) >= limits[owner.limit];

  function count(owner: Owner, change: 1 | -1): void {
    const now = (counts.get(owner.key) ?? 0) + change;
    if (now === 0) counts.delete(owner.key);
    else counts.set(owner.key, now);
  }

  class Place implements SocketPlace {
    constructor(
      private owner: Owner | undefined,
      private readonly network: string,
    ) {}

    moveTo(signedIn: Viewer): boolean {
      const user = ownerOf(signedIn, this.network);
      // Counted for this user since its upgrade, or closed.
      if (!this.owner || this.owner.key === user.key) return true;
      if (isFull(user)) {
        metrics.socketRefused('user');
        return false;
      }
      count(this.owner, -1);
      count(user, 1);
      this.owner = user;
      return true;
    }

    leave(): void {
      if (!this.owner) return;
      count(this.owner, -1);
      this.owner = undefined;
      open -= 1;
      metrics.sockets(open);
    }
  }

  return {
    /** Which limit one more socket would exceed; its refusal is counted. Undefined where it may be opened. */
    fullBy(viewer: Viewer | null, network: string): FullBy | undefined {
      const owner = ownerOf(viewer, network);
      const full = open >= limits.maxSockets ? 'process' : isFull(owner) ? owner.kind : undefined;
      if (full) metrics.socketRefused(full);
      return full;
    },

    /** One more is open. */
    enter(viewer: Viewer | null, network: string): SocketPlace {
      const owner = ownerOf(viewer, network);
      count(owner, 1);
      open += 1;
      metrics.sockets(open);
      return new Place(owner, network);
    },
  };
}

interface Owner {
  readonly kind: 'user' | 'network';
  readonly key: string;
  readonly limit: 'maxSocketsPerUser' | 'maxSocketsPerNetwork';
}

const ownerOf = (viewer: Viewer | null, network: string): Owner =>
  viewer
    ? { kind: 'user', key: `user:${viewer.userId}`, limit: 'maxSocketsPerUser' }
    : { kind: 'network', key: `network:${network}`, limit: 'maxSocketsPerNetwork' };
