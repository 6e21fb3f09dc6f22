import type { Kind, Variables } from '../texts.ts';

/** The fields of one notification. */
export type Rendered = Readonly<Record<string, string>>;

/** Somebody who renders templates that he has taken apart before. */
export type Renderer = (variables: Variables) => Rendered;

export type OpenRenderer = (kind: Kind) => Promise<Renderer>;
