/** Milliseconds of processor time that `work` took on this thread: the same however busy the machine is. */
export function cpuTimeOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
