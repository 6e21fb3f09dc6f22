import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';

/** `u:` and a user id leads to the person; a network leads nowhere. */
export function CallerLink({ caller }: { readonly caller: string }) {
  const userId = caller.startsWith('u:') ? caller.slice(2) : undefined;
  if (userId === undefined)
    return (
      <Text span size="sm">
        {caller.replace(/^n:/, '')}
      </Text>
    );
  return (
    <Anchor component={Link} to={`/people/${encodeURIComponent(userId)}`} size="sm">
      {userId}
    </Anchor>
  );
}
