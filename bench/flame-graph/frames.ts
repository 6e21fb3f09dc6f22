/** What V8 writes with `--cpu-prof`: the members that are read here. Times are in microseconds. */
export interface CpuProfile {
  readonly startTime: number;
  readonly endTime: number;
  readonly nodes: readonly ProfileNode[];
  /** The node in which each sample found the process. */
  readonly samples: readonly number[];
  /** Since the sample before. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** Whose code it is. */
export type Origin = 'V8' | 'Node' | 'package' | 'product';

/** A function with what it called, under one caller. */
export interface Frame {
  readonly name: string;
  /** `folder/file:line`; empty for what V8 or the kernel does. */
  readonly place: string;
  readonly origin: Origin;
  /** In it and in what it called, in microseconds of CPU. */
  micros: number;
  readonly children: Map<string, Frame>;
}

/**
 * All samples from one moment to another as one tree, whose root is the process. What it waited is not among them.
 *
 * @param from,to seconds since the profile began
 */
export function framesOf(profile: CpuProfile, from = 0, to = Number.POSITIVE_INFINITY): Frame {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const callers = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const root = frameOf('process', '', 'V8');
  let micros = 0;
  for (const [n, id] of profile.samples.entries()) {
    const took = profile.timeDeltas[n] ?? 0;
    micros += took;
    if (micros < from * 1e6 || micros > to * 1e6) continue;
    const stack = stackOf(id);
    if (stack.at(-1)?.callFrame.functionName === '(idle)') continue;
    root.micros += took;
    let frame = root;
    for (const { callFrame } of stack) {
      frame = childOf(frame, callFrame);
      frame.micros += took;
    }
  }
  return root;

  /** From the outermost to the sample's own, without V8's `(root)`. */
  function stackOf(id: number): ProfileNode[] {
    const stack: ProfileNode[] = [];
    for (let at: number | undefined = id; at !== undefined; at = callers.get(at)) {
      const node = nodes.get(at);
      if (node && node.callFrame.functionName !== '(root)') stack.unshift(node);
    }
    return stack;
  }
}

function childOf(parent: Frame, { functionName, url, lineNumber }: ProfileNode['callFrame']): Frame {
  const name = functionName || '(anonymous)';
  const place = placeOf(url, lineNumber + 1);
  const key = `${name} ${place}`;
  const known = parent.children.get(key) ?? frameOf(name, place, originOf(url));
  parent.children.set(key, known);
  return known;
}

function placeOf(url: string, line: number): string {
  if (url === '') return '';
  const file = url.startsWith('node:') ? url : url.split('/').slice(-2).join('/');
  return `${file}:${line}`;
}

function originOf(url: string): Origin {
  if (url === '') return 'V8';
  if (url.startsWith('node:')) return 'Node';
  return url.includes('/node_modules/') ? 'package' : 'product';
}

const frameOf = (name: string, place: string, origin: Origin): Frame => ({
  name,
  place,
  origin,
  micros: 0,
  children: new Map(),
});
