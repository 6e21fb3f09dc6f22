/** The sum of all series of a metric that a process of the product shows. */
export async function sumOfMetric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const series = text.matchAll(new RegExp(`^${name}(?:{[^\n]*})? (\\S+)$`, 'gm'));
  return [...series].reduce((sum, [, value]) => sum + Number(value), 0);
}
