declare global {
  interface JSON {
    /** A value that `JSON.stringify` prints as this very text (ECMAScript's JSON.parse source text access). */
    rawJSON(text: string): object;
  }
}

/** A decimal, kept as text inside, that is printed as a JSON number with exactly these digits. */
export const exactNumber = (decimal: string): object => JSON.rawJSON(decimal);
