// Preloaded (`--import`) into a process under test. When the process ends, it writes into the file METRICS_LIST a JSON array of
// all metrics that it has registered: name, type, labels.
import { writeFileSync } from 'node:fs';
import { Registry } from 'prom-client';

const registered = new Map();
const { registerMetric } = Registry.prototype;
Registry.prototype.registerMetric = function (metric) {
  registered.set(metric.name, metric);
  return registerMetric.call(this, metric);
};

process.on('exit', () => {
  const list = [...registered.values()].map(({ name, type, labelNames }) => ({
    name,
    type,
    labels: labelNames,
  }));
  writeFileSync(process.env.METRICS_LIST, JSON.stringify(list));
});
