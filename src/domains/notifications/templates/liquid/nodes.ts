import type { Source } from './position.js';
import type { Read, Run, Step } from './run.js';

/** A part of a template, in the order of its text. */
export type Node = Text | Output | Block;

/** Stands as it is. */
export interface Text {
  readonly kind: 'text';
  readonly text: string;
}

/** Something in delimiters. */
export interface Mark {
  /** As it is written, shortened. */
  readonly text: string;
  readonly source: Source;
  readonly offset: number;
}

/** `{{ … }}`. */
export interface Output {
  readonly kind: 'output';
  readonly mark: Mark;
  readonly read: Read;
}

/** From a tag to the one that ends it; a tag that stands alone has no parts. */
export interface Block {
  readonly kind: 'block';
  /** What may be rendered, each after the tag that begins it. */
  readonly parts: readonly { readonly mark: Mark; readonly nodes: readonly Node[] }[];
  readonly end: Mark;
  /** Renders none, some, or all of the parts, some of them several times. */
  readonly render: (run: Run, parts: readonly (readonly Step[])[]) => boolean;
}
