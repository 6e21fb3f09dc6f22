import '@mantine/spotlight/styles.css';
import { useLazyQuery } from '@apollo/client/react';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { UserRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { graphql } from '../common/graphql.js';
import { useSession } from '../common/session.js';
import { mayEnter } from './section-gate.js';
import { type Section, sections } from './sections.js';
import { useConsoleTexts } from './texts.js';

const findPeople = graphql(/* GraphQL */ `
  query PalettePeople($query: String!) {
    searchUsers(query: $query, first: 6) {
      edges {
        cursor
        node {
          id
          userId
          displayName
        }
      }
    }
  }
`);

/** ⌘K: every section, people by name, and what an id that is pasted leads to. */
export default function Palette() {
  const c = useConsoleTexts();
  const navigate = useNavigate();
  const roles = useSession()?.roles ?? [];
  const [query, setQuery] = useState('');
  const [wanted] = useDebouncedValue(query.trim(), 150);
  const [find, { data }] = useLazyQuery(findPeople);

  useEffect(() => {
    spotlight.open();
    window.addEventListener('tidings:palette', spotlight.open);
    return () => window.removeEventListener('tidings:palette', spotlight.open);
  }, []);
  useEffect(() => {
    if (wanted && roles.includes('admin')) find({ variables: { query: wanted } }).catch(() => undefined);
  }, [wanted, find, roles]);

  const matching = sections.filter(
    (section: Section) =>
      mayEnter(section, roles) &&
      c(`sections.${section.name as 'overview'}`)
        .toLowerCase()
        .includes(query.trim().toLowerCase()),
  );
  const people = wanted ? (data?.searchUsers?.edges ?? []) : [];
  const text = query.trim();

  return (
    <Spotlight.Root query={query} onQueryChange={setQuery} shortcut={['mod + K']}>
      <Spotlight.Search placeholder={c('palette.placeholder')} aria-label={c('palette.open')} />
      <Spotlight.ActionsList>
        {matching.length > 0 && (
          <Spotlight.ActionsGroup label={c('palette.go')}>
            {matching.map(({ name, icon: Icon }) => (
              <Spotlight.Action
                key={name}
                label={c(`sections.${name}`)}
                leftSection={<Icon size={18} aria-hidden />}
                onClick={() => navigate(`/${name}`)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {people.length > 0 && (
          <Spotlight.ActionsGroup label={c('palette.people')}>
            {people.map(({ node }) => (
              <Spotlight.Action
                key={node.id}
                label={node.displayName}
                description={node.userId}
                leftSection={<UserRound size={18} aria-hidden />}
                onClick={() => navigate(`/people/${encodeURIComponent(node.userId)}`)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {text.length > 2 && (
          <Spotlight.Action
            label={`${c('sections.notifications')}: ${text}`}
            onClick={() => navigate(`/notifications?search=${encodeURIComponent(text)}`)}
          />
        )}
        {matching.length === 0 && people.length === 0 && text.length <= 2 && (
          <Spotlight.Empty>{c('palette.nothing')}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
