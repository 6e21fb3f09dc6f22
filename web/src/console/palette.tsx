import '@mantine/spotlight/styles.css';
import { useLazyQuery } from '@apollo/client/react';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { UserRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { graphql } from '../common/graphql.js';
import { useSession } from '../common/session.js';
import { useWebConfig } from '../common/web-config.js';
import type { PaletteFindQuery } from '../generated/graphql.js';
import { mayEnter } from './section-gate.js';
import { type Section, sections } from './sections.js';
import { useConsoleTexts } from './texts.js';

const findDocument = graphql(/* GraphQL */ `
  query PaletteFind($text: String!, $id: ID!, $isAdmin: Boolean!) {
    searchUsers(query: $text, first: 6) @include(if: $isAdmin) {
      edges {
        cursor
        node {
          id
          userId
          displayName
        }
      }
    }
    order(orderId: $id) @include(if: $isAdmin) {
      id
      orderId
    }
    campaign(batchId: $id) {
      id
      batchId
    }
    notificationRequest(notificationId: $id) {
      id
      notificationId
    }
  }
`);

/** ⌘K: every section, people by name, what an id that is pasted leads to, and the pages outside of the console. */
export default function Palette() {
  const c = useConsoleTexts();
  const navigate = useNavigate();
  const roles = useSession()?.roles ?? [];
  const [query, setQuery] = useState('');
  const [wanted] = useDebouncedValue(query.trim(), 150);
  const [find, { data }] = useLazyQuery(findDocument);
  const { sandboxUrl, graphiql } = useWebConfig();
  const isAdmin = roles.includes('admin');

  useEffect(() => {
    spotlight.open();
    window.addEventListener('tidings:palette', spotlight.open);
    return () => window.removeEventListener('tidings:palette', spotlight.open);
  }, []);
  useEffect(() => {
    if (wanted) find({ variables: { text: wanted, id: wanted, isAdmin } }).catch(() => undefined);
  }, [wanted, find, isAdmin]);

  const matching = sections.filter(
    (section: Section) =>
      mayEnter(section, roles) &&
      (!section.isDevelopmentOnly || sandboxUrl !== null) &&
      c(`sections.${section.name as 'overview'}`)
        .toLowerCase()
        .includes(query.trim().toLowerCase()),
  );
  const people = wanted ? (data?.searchUsers?.edges ?? []) : [];
  // Not what an earlier text has found.
  const ids = data ? idsOf(data).filter(({ name }) => name === wanted) : [];
  const text = query.trim();
  const pages = PAGES.filter(
    ({ name }) =>
      (name !== 'graphiql' || graphiql) && c(`links.${name}`).toLowerCase().includes(text.toLowerCase()),
  );
  const isNothing = [matching, people, ids, pages].every(({ length }) => length === 0) && text.length <= 2;

  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut={['mod + K']}
      tagsToIgnore={[]}
      triggerOnContentEditable
    >
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
        {ids.map(({ section, name, to }) => (
          <Spotlight.Action
            key={to}
            label={name}
            description={c(`sections.${section}`)}
            onClick={() => navigate(to)}
          />
        ))}
        {text.length > 2 && (
          <Spotlight.Action
            label={`${c('sections.notifications')}: ${text}`}
            onClick={() => navigate(`/notifications?search=${encodeURIComponent(text)}`)}
          />
        )}
        {pages.length > 0 && (
          <Spotlight.ActionsGroup label={c('links.elsewhere')}>
            {pages.map(({ name, href }) => (
              <Spotlight.Action
                key={name}
                label={c(`links.${name}`)}
                onClick={() => window.location.assign(href)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {isNothing && <Spotlight.Empty>{c('palette.nothing')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** Pages of this server that are not of the console. */
const PAGES = [
  { name: 'start', href: '/' },
  { name: 'reader', href: '/app' },
  { name: 'graphiql', href: '/graphiql' },
  { name: 'docs', href: '/docs/README' },
] as const;

/** What has exactly the id that was typed. */
function idsOf({ order, campaign, notificationRequest: request }: PaletteFindQuery) {
  return [
    ...(request
      ? [
          {
            section: 'notifications' as const,
            name: request.notificationId,
            to: `/notifications/${encodeURIComponent(request.id)}`,
          },
        ]
      : []),
    ...(campaign
      ? [
          {
            section: 'campaigns' as const,
            name: campaign.batchId,
            to: `/campaigns/of/${encodeURIComponent(campaign.id)}`,
          },
        ]
      : []),
    ...(order
      ? [
          {
            section: 'commerce' as const,
            name: order.orderId,
            to: `/commerce/orders/${encodeURIComponent(order.orderId)}`,
          },
        ]
      : []),
  ];
}
