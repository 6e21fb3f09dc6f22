const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#34;': '"',
  '&#x27;': "'",
  '&#x2F;': '/',
};

/** A text of the inbox as people read it: values in it are escaped for HTML (docs/inbox.md). */
export const fromHtml = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39|#34|#x27|#x2F);/gi, (entity) => ENTITIES[entity] ?? entity);
