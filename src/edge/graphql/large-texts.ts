import type { GraphQLCompositeType } from 'graphql';

/** Bytes of text that a field brings for its one point; each so many more cost one more. */
const BYTES_A_POINT = 8_192;

/** Fields whose text may be longer than a point pays for: the bytes that it takes at most, or is assumed to take. */
const LARGE_TEXTS: Readonly<Record<string, number>> = {
  'Post.content': 20_000,
  'PostEdit.content': 20_000,
  'Comment.content': 8_000,
  'Template.body': 20_000,
  'Template.htmlBody': 100_000,
  'RenderedContent.body': 20_000,
  'RenderedContent.htmlBody': 100_000,
  'StoredEvent.data': 40_000,
  'RateLimitRuleSet.document': 1_000_000,
  'RateLimitRulesPut.document': 1_000_000,
};

/** What a field without a selection costs at most. */
export const leafCost = (parent: GraphQLCompositeType, field: string): number =>
  1 + Math.floor((LARGE_TEXTS[`${parent.name}.${field}`] ?? 0) / BYTES_A_POINT);

/** What the text of such a field cost besides the field's one point. */
export function textCost(value: unknown): number {
  if (typeof value !== 'string') return 0;
  return value.length * 3 < BYTES_A_POINT ? 0 : Math.floor(Buffer.byteLength(value) / BYTES_A_POINT);
}
