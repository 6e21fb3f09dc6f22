import type { CDPSession } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string; readonly data?: { readonly isMainFrame?: boolean } };
}

const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel'];

/** What the page's thread did while something ran, as Chromium's own trace has it. */
export interface Traced {
  /** Of each task of the page's thread, in milliseconds: no frame is drawn while one runs. */
  readonly taskMs: readonly number[];
  readonly frames: number;
}

export async function traced(session: CDPSession, run: () => Promise<void>): Promise<Traced> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: unknown[] }) => events.push(...(value as TraceEvent[]));
  session.on('Tracing.dataCollected', collect);
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES },
  });
  await run();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', collect);
  return read(events);
}

function read(events: readonly TraceEvent[]): Traced {
  // The page's process is the one that runs its animation frames.
  const frames = events.filter(({ name }) => name === 'FireAnimationFrame');
  const [frame] = frames;
  if (!frame) throw new Error('the trace has no frame of the page');
  const taskMs = events
    .filter(({ name, ph, pid, tid }) => {
      const isTask = ph === 'X' && (name === 'RunTask' || name === 'ThreadControllerImpl::RunTask');
      return isTask && pid === frame.pid && tid === frame.tid;
    })
    .map(({ dur = 0 }) => dur / 1_000);
  if (taskMs.length === 0) throw new Error('the trace has no task of the page');
  return { taskMs, frames: frames.length };
}
