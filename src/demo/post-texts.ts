import { texts } from './post-phrases.js';
import { slots } from './post-slots.js';
import type { Random } from './random.js';

export type Theme = keyof typeof texts;
export const THEMES = Object.keys(texts) as Theme[];

const WITH_DETAIL = 0.75;
const WITH_CLOSING = 0.45;
const OFF_TOPIC = 0.2;

/** A short post as people write them: an opening, mostly with a detail, sometimes with a question or a tag. */
export function writePost(favourite: Theme, random: Random): string {
  const theme = random.chance(OFF_TOPIC) ? random.pick(THEMES) : favourite;
  const { openings, details, closings } = texts[theme];
  const parts: string[] = [random.pick(openings)];
  if (random.chance(WITH_DETAIL)) parts.push(random.pick<string>(details));
  if (random.chance(WITH_CLOSING)) parts.push(random.pick<string>(closings));
  return fill(parts.join(' '), random);
}

/** @throws where a text names a slot that does not exist */
function fill(text: string, random: Random): string {
  const filled = text.replace(/(#?)\{(\w+)\}/g, (_, hash: string, name: string) => {
    const slot = slots[name];
    if (!slot) throw new Error(`no slot is called ${name}`);
    // A hashtag ends at the first blank.
    return hash ? hash + slot(random).replace(/[^\p{L}\p{N}]/gu, '') : slot(random);
  });
  return filled.replace(/(^|[.!?] )(\p{Ll})/gu, (start) => start.toUpperCase());
}
