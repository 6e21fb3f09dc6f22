import { Group, Text } from '@mantine/core';
import { BadgeCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ReaderPersonFragment } from '../../generated/graphql.js';
import postClasses from '../post/post.module.css';
import { useReaderTexts } from '../texts.js';
import { Avatar } from './avatar.js';
import classes from './person.module.css';

interface PersonLineProps {
  readonly person: Pick<ReaderPersonFragment, 'userId' | 'displayName' | 'avatarUrl' | 'isVerified'>;
  /** What can be done with them, at the right. */
  readonly children?: ReactNode;
}

/** A person in one line: it leads to their page. */
export function PersonLine({ person, children }: PersonLineProps) {
  const t = useReaderTexts();
  return (
    <div className={classes.line} data-person={person.userId}>
      <Avatar person={person} size={40} />
      <div className={classes.names}>
        <Group gap={4} wrap="nowrap">
          <Link className={postClasses.name} to={`/people/${encodeURIComponent(person.userId)}`}>
            {person.displayName}
          </Link>
          {person.isVerified && (
            <BadgeCheck
              size={16}
              color="var(--mantine-color-brand-6)"
              role="img"
              aria-label={t('person.verified')}
              style={{ flex: 'none' }}
            />
          )}
        </Group>
        <Text size="sm" c="dimmed" truncate>
          @{person.userId}
        </Text>
      </div>
      {children}
    </div>
  );
}
