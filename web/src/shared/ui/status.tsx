import { Badge } from '@mantine/core';

const COLORS: Readonly<Record<string, string>> = {
  good: 'teal',
  busy: 'blue',
  waits: 'yellow',
  bad: 'red',
  over: 'gray',
};

interface StatusProps {
  readonly tone: 'good' | 'busy' | 'waits' | 'bad' | 'over';
  readonly children: string;
}

/** A status, as a word with a color; the color never says it alone. */
export function Status({ tone, children }: StatusProps) {
  return (
    <Badge variant="light" color={COLORS[tone]} radius="sm" tt="none" className={`status-${tone}`}>
      {children}
    </Badge>
  );
}
