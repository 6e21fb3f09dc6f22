/** What the values of an attribute are. An attribute has one type, for everybody. */
export const attributeTypes = ['string', 'number', 'boolean', 'datetime', 'strings'] as const;
export type AttributeType = (typeof attributeTypes)[number];

/** As messages call them. */
export const TYPE_NAMES: Readonly<Record<AttributeType, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'a boolean',
  datetime: 'a date-time',
  strings: 'a list of texts',
};

/** The types of attributes by their names. */
export type AttributeTypes = ReadonlyMap<string, AttributeType>;

/** What a filter may ask of every user without anybody setting it. */
export const BUILT_INS = {
  userId: 'string',
  language: 'string',
  timezone: 'string',
  country: 'string',
  lastSeenDays: 'number',
  createdDays: 'number',
  followerCount: 'number',
} as const satisfies Readonly<Record<string, AttributeType>>;

export type BuiltIn = keyof typeof BUILT_INS;

export const isBuiltIn = (name: string): name is BuiltIn => Object.hasOwn(BUILT_INS, name);

/** The one question with an argument: `hasDevice("IOS")`. */
export const HAS_DEVICE = 'hasDevice';

/** Words of the filter language: no attribute can have their names. */
export const KEYWORDS = ['and', 'or', 'not', 'in', 'contains', 'exists', 'true', 'false', 'now'] as const;

const RESERVED: ReadonlySet<string> = new Set([...KEYWORDS, ...Object.keys(BUILT_INS), HAS_DEVICE]);

/** Whether a name belongs to the filter language or to what it computes. */
export const isReserved = (name: string): boolean => RESERVED.has(name);

/** Whether users can have an attribute of this name. */
export const isAttributeName = (name: string): boolean => /^[a-z][A-Za-z0-9_]{0,63}$/.test(name);
