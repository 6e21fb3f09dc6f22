import { LARGEST_DOCUMENT } from '../rules/rules.js';

/**
 * The text that the bytes spell, in UTF-8. Stops reading at the first byte beyond 256 KiB: `readRules` would refuse it,
 * and a source must not fill the memory.
 *
 * @throws Error when there is more
 */
export async function boundedText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > LARGEST_DOCUMENT) throw new Error(`it is larger than ${LARGEST_DOCUMENT / 1024} KiB`);
    read.push(chunk);
  }
  return Buffer.concat(read).toString('utf8');
}
