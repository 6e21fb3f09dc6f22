import { readFileSync } from 'node:fs';
import { buildSchema, findBreakingChanges } from 'graphql';
import { expect, it } from 'vitest';

const read = (file: URL) => buildSchema(readFileSync(file, 'utf8'), { assumeValid: true });
const contract = read(new URL('./contract.graphql', import.meta.url));
const emitted = read(new URL('../../schema.graphql', import.meta.url));

it('keeps everything that clients rely on as the contract has it', () => {
  // Parts that are still to come are absent; what is there must be as promised.
  const changed = findBreakingChanges(contract, emitted).filter((change) => !change.type.includes('REMOVED'));
  expect(changed.map((change) => change.description)).toEqual([]);
});
