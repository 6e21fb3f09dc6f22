import { Avatar as Picture } from '@mantine/core';
import { ownUrl } from '../own-url.js';

interface AvatarProps {
  readonly person: {
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl?: string | null;
  };
  readonly size?: number;
}

/** Dark enough for white letters on them, in both color schemes. */
const COLORS = [
  '#0b7a6d',
  '#3b5bdb',
  '#9c36b5',
  '#c2255c',
  '#b5400d',
  '#2b6e2f',
  '#1971a8',
  '#6741d9',
  '#8a5a00',
  '#495057',
];

/** A person's picture; their initials on a color of their own where there is none that this server has. */
export function Avatar({ person, size = 42 }: AvatarProps) {
  const source = ownUrl(person.avatarUrl);
  return (
    <Picture
      size={size}
      radius="50%"
      alt=""
      {...(source && { src: source })}
      styles={{ placeholder: { background: colorOf(person.userId), color: '#fff', fontSize: size * 0.38 } }}
      style={{ flex: 'none' }}
      aria-hidden
    >
      {initials(person.displayName)}
    </Picture>
  );
}

export function colorOf(text: string): string {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + character.codePointAt(0)!) % 9_973;
  return COLORS[sum % COLORS.length]!;
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0] ?? '',
  );
  return letters.join('').toUpperCase() || '?';
}
