/** Milliseconds by a clock that all processes of this machine read alike and that nobody sets. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** What `machineMs` said when this process's `performance.now()` said so. */
export const toMachineMs = (performanceMs: number): number => performanceMs + machineMs() - performance.now();
