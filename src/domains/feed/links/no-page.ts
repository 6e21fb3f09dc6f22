/** There is no page that may be shown, and there will be none soon: trying again is of no use. */
export class NoPage extends Error {}

/** The host was asked as often as it may be for now. */
export class AskedTooOften extends Error {
  constructor(readonly waitMs: number) {
    super(`its host may be asked again in ${waitMs} ms`);
  }
}
