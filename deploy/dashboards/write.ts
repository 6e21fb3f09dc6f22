// Writes each dashboard beside this file, as Grafana imports it: `npm run dashboards`.
import { writeFileSync } from 'node:fs';
import { boards } from './boards.ts';
import { dashboardOf } from './dashboard.ts';

for (const board of boards) {
  const file = new URL(`${board.name}.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(dashboardOf(board), null, 2)}\n`);
}
