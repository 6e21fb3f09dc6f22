import { Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useCount } from '../numbers.js';
import { useReaderTexts } from '../texts.js';

interface CountsProps {
  readonly person: {
    readonly userId: string;
    readonly followerCount: number;
    readonly followingCount: number;
  };
}

/** How many they follow, and how many follow them; each leads to the list. */
export function Counts({ person }: CountsProps) {
  const t = useReaderTexts();
  const count = useCount();
  const page = `/people/${encodeURIComponent(person.userId)}`;
  const entries = [
    { list: 'following', number: person.followingCount },
    { list: 'followers', number: person.followerCount },
  ] as const;
  return (
    <Group gap="lg">
      {entries.map(({ list, number }) => (
        <Text key={list} size="sm" component={Link} to={`${page}?list=${list}`} c="inherit" td="none">
          <Text span fw={700} className="numbers">
            {count(number)}
          </Text>{' '}
          <Text span c="dimmed">
            {t(`person.${list}`, { count: number })}
          </Text>
        </Text>
      ))}
    </Group>
  );
}
