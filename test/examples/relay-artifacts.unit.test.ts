import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { buildSchema, parse, print, validate } from 'graphql';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const folder = 'examples/relay/__generated__/';
const artifacts = readdirSync(new URL(folder, root)).map((file) => read(folder + file));

it('keeps what relay-compiler made of the operations of the Relay example as they are now', () => {
  const operations = [...read('examples/relay/operations.ts').matchAll(/graphql`([^`]*)`/g)];
  const hashes = operations.map(([, text]) =>
    createHash('md5')
      .update(print(parse(text!)))
      .digest('hex'),
  );
  expect(hashes).toHaveLength(artifacts.length);
  expect(hashes.filter((hash) => !artifacts.some((artifact) => artifact.includes(`"${hash}"`)))).toEqual([]);
});

it('asks in the Relay example for what the schema has, under the ids of its persisted documents', () => {
  const schema = buildSchema(read('schema.graphql'));
  const asked = artifacts.flatMap((artifact) => {
    const text = /"text": (".*"),?$/m.exec(artifact)?.[1];
    return text ? [[/"id": "(\w+)"/.exec(artifact)?.[1], JSON.parse(text)] as const] : [];
  });
  expect(asked).toHaveLength(4);
  for (const [, text] of asked) expect(validate(schema, parse(text))).toEqual([]);
  expect(Object.fromEntries(asked)).toEqual(JSON.parse(read('examples/relay/persisted-documents.json')));
});
