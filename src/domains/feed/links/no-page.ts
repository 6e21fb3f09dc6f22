/** There is no page that may be shown, and a retry would not help. */
export class NoPage extends Error {}

/** The quota of requests to the host is used up for now. */
export class AskedTooOften extends Error {
  constructor(readonly waitMs: number) {
    super(`its host may be asked again in ${waitMs} ms`);
  }
}
