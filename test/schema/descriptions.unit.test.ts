import { readFileSync } from 'node:fs';
import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, it } from 'vitest';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

/** Every part of the public schema by its coordinate, with its description. */
const parts = new Map<string, string | null | undefined>();
for (const type of Object.values(schema.getTypeMap())) {
  if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue;
  parts.set(type.name, type.description);
  if (isEnumType(type))
    for (const value of type.getValues()) parts.set(`${type.name}.${value.name}`, value.description);
  if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))
    for (const field of Object.values(type.getFields())) {
      parts.set(`${type.name}.${field.name}`, field.description);
      for (const arg of 'args' in field ? field.args : [])
        parts.set(`${type.name}.${field.name}(${arg.name}:)`, arg.description);
    }
}

const payloads = Object.values(schema.getMutationType()?.getFields() ?? {})
  .map(({ type }) => getNamedType(type))
  .filter(isObjectType);

describe('the public schema', () => {
  it('describes every type, field, argument, input field and enum value', () => {
    expect(parts.size).toBeGreaterThan(1_000);
    expect([...parts].filter(([, text]) => !text?.trim()).map(([part]) => part)).toEqual([]);
  });

  it('is described in plain words', () => {
    const riddles = /\b(he|his|him|himself|told|tells?|rings?|doorbell|story|ear|sparing|held back)\b/i;
    const found = [...parts].filter(([, text]) => riddles.test(text ?? ''));
    expect(found).toEqual([]);
  });

  it('says of every connection how many items there are, or that it does not say', () => {
    const silent = Object.values(schema.getTypeMap()).filter(
      (type) =>
        isObjectType(type) &&
        type.name.endsWith('Connection') &&
        !('totalCount' in type.getFields()) &&
        !type.description?.includes('There is no `totalCount`'),
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('gives the nodes of every connection without their edges', () => {
    const connections = Object.values(schema.getTypeMap()).filter(
      (type) => isObjectType(type) && type.name.endsWith('Connection'),
    );
    expect(connections.length).toBeGreaterThan(15);
    for (const type of connections) {
      if (!isObjectType(type)) continue;
      const edge = schema.getType(type.name.replace(/Connection$/, 'Edge'));
      const node = isObjectType(edge) ? String(edge.getFields().node?.type) : '';
      expect(String(type.getFields().nodes?.type), type.name).toBe(`[${node}]!`);
    }
  });

  it('has an id on whatever is listed page by page, so that a cache can keep it', () => {
    const edges = Object.values(schema.getTypeMap()).filter(
      (type) => isObjectType(type) && type.name.endsWith('Edge'),
    );
    const without = edges.filter((type) => {
      const node = isObjectType(type) && schema.getType(String(type.getFields().node?.type).replace('!', ''));
      return !isObjectType(node) || !('id' in node.getFields());
    });
    expect(without).toEqual([]);
  });

  it('answers every mutation with the object that it changed, under an id, so that a cache is right by itself', () => {
    /** What they change is no object: a marker, a list of words, statistics, what filters ask about. */
    const changeNoObject = [
      'MarkFeedReadPayload',
      'SetMutedKeywordsPayload',
      'RecordSignalsPayload',
      'SetUserAttributesPayload',
    ];
    const without = payloads.filter(
      (payload) =>
        !Object.values(payload.getFields()).some(({ name, type }) => {
          const changed = getNamedType(type);
          return name === 'deletedId' || (isObjectType(changed) && 'id' in changed.getFields());
        }),
    );
    expect(without.map(({ name }) => name).sort()).toEqual(changeNoObject.sort());
  });

  it('answers what removes an object with its global id, so that a cache can drop it', () => {
    const removing = payloads.filter(({ name }) => /^(Delete|Remove(?!Reaction)|Unregister)/.test(name));
    expect(removing.map(({ name }) => name)).toContain('DeletePostPayload');
    expect(removing.filter((payload) => !('deletedId' in payload.getFields()))).toEqual([]);
  });

  it('has no directives but those that every client knows, and says what its scalars are', () => {
    expect(schema.getDirectives().filter((directive) => !isSpecifiedDirective(directive))).toEqual([]);
    const own = Object.values(schema.getTypeMap()).filter(
      (type) => isScalarType(type) && !isSpecifiedScalarType(type),
    );
    expect(own.map(({ name }) => name).sort()).toEqual([
      'DateTime',
      'Decimal',
      'JSONObject',
      'TimeOfDay',
      'URL',
    ]);
    for (const scalar of own)
      expect(isScalarType(scalar) && scalar.specifiedByURL, scalar.name).toMatch(/^https:\/\//);
  });
});
