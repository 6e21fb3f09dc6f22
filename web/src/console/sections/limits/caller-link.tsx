import { Text } from '@mantine/core';
import { PersonLink } from '../../person-link.js';

/** `u:` and a user id leads to the person; a network leads nowhere. */
export function CallerLink({ caller }: { readonly caller: string }) {
  const userId = caller.startsWith('u:') ? caller.slice(2) : undefined;
  if (userId === undefined)
    return (
      <Text span size="sm">
        {caller.replace(/^n:/, '')}
      </Text>
    );
  return <PersonLink userId={userId} />;
}
