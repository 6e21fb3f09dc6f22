/**
 * One character that a reader sees: neither white space nor what shows nothing by itself (zero-width joiners, fillers,
 * variation selectors). A part of a regular expression with the flag `u`.
 */
export const VISIBLE_CHARACTER = '[^\\p{White_Space}\\p{Default_Ignorable_Code_Point}]';

const VISIBLE = new RegExp(VISIBLE_CHARACTER, 'u');

/** Whether a reader of the text would see nothing. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);

/** Normalising sorts a run of combining marks in quadratic time: 80 KB of them take a second. */
const LONG_RUN = /([\p{M}\uff9e\uff9f]{31,})/u;

/**
 * A text in one of Unicode's forms, in linear time: runs of more than 30 combining marks, which no language writes (UAX 15,
 * Stream-Safe Text Format), stay as they are.
 */
export const inForm = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  text
    .split(LONG_RUN)
    .map((part, index) => (index % 2 === 0 ? part.normalize(form) : part))
    .join('');

/**
 * A text as it is stored: in form NFC, so that what looks the same is the same; empty where it is blank. A text that is too
 * long in any case is answered as it is. It may be longer in form NFC: its length is checked afterwards.
 *
 * @param most how many characters it may have, of one or two UTF-16 units each
 */
export function toStoredText(text: string, most: number): string {
  if (isBlank(text)) return '';
  return text.length > 2 * most ? text : inForm(text, 'NFC');
}

/**
 * Whether a text has at most so many characters: code points, as Postgres counts them, of one or two UTF-16 units each. It takes no longer
 * for a text that is longer.
 */
export function hasAtMost(text: string, most: number): boolean {
  if (text.length <= most) return true;
  if (text.length > 2 * most) return false;
  let pairs = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text.codePointAt(index)! > 0xffff) {
      pairs += 1;
      index += 1;
    }
  }
  return text.length - pairs <= most;
}

/** Whether a text can be stored and sent: Postgres takes neither NUL nor half a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
