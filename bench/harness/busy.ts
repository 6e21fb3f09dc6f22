/** Starts to watch this process; the function it gives tells which part of one core was used since, 0 to 1 and above. */
export function busySince(): () => number {
  const startedAt = process.hrtime.bigint();
  const usage = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(usage);
    return (user + system) / (Number(process.hrtime.bigint() - startedAt) / 1000);
  };
}
