import { MAX_TEXT, type Unfit } from '../fill.js';

/** Who reads a rendered text: what dates and plurals depend on. */
export interface Reader {
  /** An IANA zone. */
  readonly timeZone: string;
  /** The language that the template is written in. */
  readonly locale: string;
}

/**
 * How much one rendering may do, over all its fields: each step counts 1, and so does each value that a `when` or a `render` names,
 * and each 64 characters that a filter or a comparison looks at. All of it takes some milliseconds at most.
 */
export const MAX_WORK = 50_000;

/** The rendering of one template for one reader, while it goes on. */
export interface Run {
  /** The values of the template's variables, by their place. */
  readonly globals: readonly unknown[];
  /** Those of loops and of the parameters of partials, by their place. */
  readonly locals: unknown[];
  readonly reader: Reader;
  /** What is left of `MAX_WORK`; negative where it is used up. */
  work: number;
  /** What is written of the field so far. */
  text: string;
  /** The link that is being put together; null outside of any. */
  link: OpenLink | null;
  /** Why it stopped; null while it goes on. */
  unfit: Unfit | null;
}

/** A link, or a style, as one run has put it together: what is around its values is the template's, also where values are empty. */
export interface OpenLink {
  /** One more than there are values, as they stand in the source. */
  readonly literals: string[];
  /** The same as a reader of the HTML gets them. */
  readonly decoded: string[];
  readonly values: string[];
  length: number;
}

/** Does one thing of a template; false where the rendering has to stop. */
export type Step = (run: Run) => boolean;
/** The value of an expression. */
export type Read = (run: Run) => unknown;

export const startRun = (globals: readonly unknown[], reader: Reader): Run => ({
  globals,
  locals: [],
  reader,
  work: MAX_WORK,
  text: '',
  link: null,
  unfit: null,
});

/** Does all steps in order; false where one of them stopped the rendering, or too many were done. */
export function perform(steps: readonly Step[], run: Run): boolean {
  for (const step of steps) {
    run.work -= 1;
    if (run.work < 0) return stop(run, 'TEMPLATE_LIMIT');
    if (!step(run)) return false;
  }
  return true;
}

export function stop(run: Run, why: Unfit): false {
  run.unfit = why;
  return false;
}

/** Stops as soon as it is too long: what is thrown away must not cost memory. */
export function write(run: Run, text: string): boolean {
  run.text += text;
  return run.text.length <= MAX_TEXT || stop(run, 'TEXT_TOO_LONG');
}

/** Counts a look at so many values. */
export const spendOnEach = (run: Run, values: number): void => {
  run.work -= values;
};

/** Counts a look at so many characters. */
export const spendOn = (run: Run, characters: number): void => {
  run.work -= 1 + (characters >> 6);
};
