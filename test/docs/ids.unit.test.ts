import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSchema, isObjectType } from 'graphql';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

it('the guide names every type of object whose id is not found by `node`', () => {
  const types = Object.values(buildSchema(read('schema.graphql')).getTypeMap()).filter(isObjectType);
  const withoutNode = types.filter(
    (type) => type.getFields().id && !type.getInterfaces().some(({ name }) => name === 'Node'),
  );
  const [, ids = ''] = read('docs/building-a-client.md').split('\n## Ids\n');
  const [, list = ''] = /with\s+the\s+same\s+permissions[^.]+\.([^.]+)\s+cannot\s+be\s+found/.exec(ids) ?? [];
  const named = [...list.matchAll(/`([A-Z]\w+)`/g)].map(([, name]) => name);
  expect(named.sort()).toEqual(withoutNode.map(({ name }) => name).sort());
});
