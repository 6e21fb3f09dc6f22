import type { GraphQLError, ResponsePath } from 'graphql';

/** Where in an answer something stands; undefined is the answer as a whole. */
export type Path = ResponsePath;

/** The errors of one operation. An error below a path that became null already is dropped. */
export class CollectedErrors {
  private readonly places = new Set<Path | undefined>();
  readonly errors: GraphQLError[] = [];

  /**
   * @param place that becomes null: an object which its descendants' places lead back to
   * @returns whether the answer shows it
   */
  add(error: GraphQLError, place: Path | undefined): boolean {
    if (this.isGivenUp(place)) return false;
    this.places.add(place);
    this.errors.push(error);
    return true;
  }

  private isGivenUp(place: Path | undefined): boolean {
    for (let at = place; at; at = at.prev) if (this.places.has(at)) return true;
    return this.places.has(undefined);
  }
}
