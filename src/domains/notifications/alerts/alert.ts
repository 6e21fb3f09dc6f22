export const alertSeverities = ['WARNING', 'CRITICAL'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

/** Something that an operator should look at. At most one of a name and scope is active. */
export interface Alert {
  readonly alertId: string;
  /** Which rule; see `rules`. */
  readonly name: string;
  /** What it is about: a channel, or empty. */
  readonly scope: string;
  readonly severity: AlertSeverity;
  readonly message: string;
  /** As it was when the alert was raised. */
  readonly value: number;
  readonly threshold: number;
  readonly raisedAt: Date;
  /** Null while it is active. */
  readonly resolvedAt: Date | null;
  /** The number of its last change, be it raised or resolved: rising in commit order over all alerts. */
  readonly change: number;
}
