/** Writes one line to the terminal. */
export type Say = (line: string) => void;
