/** As `PublishPostInput`, `AddCommentInput` and docs/feed/posts.md have them. */
export const MAX_POST = 5_000;
export const MAX_COMMENT = 2_000;
export const MAX_MEDIA = 10;

/** The length of a text as the API counts it: characters of the form in which it is stored. */
export const lengthOf = (text: string): number => [...text.normalize('NFC')].length;
