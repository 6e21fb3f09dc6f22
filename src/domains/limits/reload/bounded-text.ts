import { LARGEST_DOCUMENT } from '../rules/rules.js';

/**
 * The text that the bytes spell, in UTF-8. Stops reading at the first byte beyond 256 KiB: `readRules` would refuse it,
 * and a source must not fill the memory.
 *
 * @throws Error when there is more, or when it is no UTF-8
 */
export async function boundedText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > LARGEST_DOCUMENT) throw new Error(`it is larger than ${LARGEST_DOCUMENT / 1024} KiB`);
    read.push(chunk);
  }
  return decoded(Buffer.concat(read));
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Error('it is no UTF-8 text', { cause });
  }
}
