/** How close viewers are to authors, by what they did with their posts and with them. */
export interface Affinities {
  /** By author's user id, from −1 (the viewer keeps hiding them) over 0 (a stranger) to 1. */
  of(viewerId: string): Promise<(authorId: string) => number>;
}
