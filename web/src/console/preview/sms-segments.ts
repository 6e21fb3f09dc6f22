/** GSM 03.38: its basic characters take one septet, those of its extension two. All else makes a message Unicode. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENDED = '^{}\\[~]|€\f';

export interface SmsSegments {
  readonly encoding: 'GSM-7' | 'UCS-2';
  /** As many text messages as are paid for. */
  readonly segments: number;
  readonly characters: number;
  /** How many more fit into the last segment: septets, or UTF-16 units. */
  readonly left: number;
  /** The characters that make it Unicode, each once, in their order. */
  readonly unicode: readonly string[];
}

/** What a text message costs: 160 septets or 70 UTF-16 units alone, 153 or 67 of each of several. */
export function smsSegments(text: string): SmsSegments {
  const characters = [...text];
  const unicode = [...new Set(characters.filter((one) => !BASIC.includes(one) && !EXTENDED.includes(one)))];
  const isGsm = unicode.length === 0;
  const sizes = characters.map((one) => (isGsm ? (EXTENDED.includes(one) ? 2 : 1) : one.length));
  const [alone, ofSeveral] = isGsm ? [160, 153] : [70, 67];
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const counted = total <= alone ? { segments: 1, left: alone - total } : split(sizes, ofSeveral);
  return { encoding: isGsm ? 'GSM-7' : 'UCS-2', characters: characters.length, unicode, ...counted };
}

/** A character is never cut in two: what does not fit begins the next segment. */
function split(sizes: readonly number[], capacity: number): { segments: number; left: number } {
  let segments = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > capacity) {
      segments += 1;
      used = 0;
    }
    used += size;
  }
  return { segments, left: capacity - used };
}
