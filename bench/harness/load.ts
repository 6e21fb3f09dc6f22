import { type Child, startChild } from './child.ts';
import type { LoadMethods } from './load-process.ts';

/** One POST of the rotation. */
export interface LoadRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What to send, and for how long. */
export interface Load {
  readonly origin: string;
  readonly connections: number;
  readonly seconds: number;
  /** Each connection sends these one after the other, again and again, waiting for each answer. */
  readonly requests: readonly LoadRequest[];
}

/** What came back; only answers 2xx are counted. */
export interface LoadSample {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How much of its core the load itself used, 0 to 1; near 1 it holds the server back. */
  readonly loadBusy: number;
}

/** A process that makes load. */
export function startLoad(core?: number): Child<LoadMethods> {
  return startChild<LoadMethods>(new URL('./load-process.ts', import.meta.url), core);
}
