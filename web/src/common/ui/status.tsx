import { Badge } from '@mantine/core';

const COLORS: Readonly<Record<string, string>> = {
  good: 'teal',
  busy: 'blue',
  waits: 'yellow',
  bad: 'red',
  over: 'gray',
};

/** Mantine's own is too pale for small text on a light ground. */
const LABEL = { color: 'light-dark(color-mix(in srgb, var(--badge-color) 60%, black), var(--badge-color))' };

interface StatusProps {
  readonly tone: 'good' | 'busy' | 'waits' | 'bad' | 'over';
  readonly children: string;
}

/** A status, as a word with a color; the color never says it alone. */
export function Status({ tone, children }: StatusProps) {
  return (
    <Badge
      variant="light"
      color={COLORS[tone]}
      radius="sm"
      tt="none"
      px={6}
      className={`status-${tone}`}
      styles={{ label: LABEL }}
    >
      {children}
    </Badge>
  );
}
