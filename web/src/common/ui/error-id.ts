/** The id of the element that says what is wrong in an editor, by the id of its label. */
export const errorIdOf = (labelId: string): string => `${labelId}-error`;
