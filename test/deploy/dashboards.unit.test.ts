import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { boards } from '../../deploy/dashboards/boards.ts';
import { dashboardOf } from '../../deploy/dashboards/dashboard.ts';

it.each(boards)('the file of the dashboard $name is what its source says: `npm run dashboards`', (board) => {
  const file = new URL(`../../deploy/dashboards/${board.name}.json`, import.meta.url);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(dashboardOf(board))));
});

it('every domain has a dashboard, and Kubernetes gets each', () => {
  const names = boards.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['feed', 'notifications', 'limits', 'commerce', 'platform']));
  const file = new URL('../../deploy/dashboards/kustomization.yaml', import.meta.url);
  const loaded = [...readFileSync(file, 'utf8').matchAll(/files: \[(\w+)\.json\]/g)].map(([, name]) => name);
  expect(loaded.toSorted()).toEqual(names.toSorted());
});
