import { Anchor } from '@mantine/core';
import { Link } from 'react-router';

export const personPath = (userId: string): string => `/people/${encodeURIComponent(userId)}`;

/** A person's id, which leads to their page. */
export function PersonLink({ userId }: { readonly userId: string }) {
  return (
    <Anchor component={Link} to={personPath(userId)} size="sm">
      {userId}
    </Anchor>
  );
}
