import { useQuery } from '@apollo/client/react';
import { Box, Group, Kbd, Paper, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { APART } from '../../common/client.js';
import { graphql } from '../../common/graphql.js';
import { useCommonTexts } from '../../common/i18n.js';
import { useShortcutSetting } from '../../common/shortcut-setting.js';
import { Counts } from '../people/counts.js';
import { PersonLine } from '../people/person-line.js';
import { useReaderTexts } from '../texts.js';

const Me = graphql(/* GraphQL */ `
  query ReaderMe {
    me {
      ...ReaderPerson
      followerCount
      followingCount
      following(first: 5) {
        edges {
          cursor
          node {
            ...ReaderPerson
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

/** Beside the feed on wide screens: search, oneself, those followed last, and the keys. */
export default function Aside() {
  const t = useReaderTexts();
  // Apart from one's own list of follows, which may be longer by now.
  const { data } = useQuery(Me, {
    fetchPolicy: 'cache-first',
    variables: { [APART]: true } as object as Record<string, never>,
  });
  const { pathname } = useLocation();
  const [hasShortcuts] = useShortcutSetting();
  const me = data?.me;
  return (
    <Stack gap="md">
      {pathname !== '/search' && <SearchBox />}
      {me ? (
        <Paper withBorder radius="lg" p="md">
          <Stack gap="sm">
            <PersonLine person={me} />
            <Counts person={me} />
          </Stack>
        </Paper>
      ) : (
        <Skeleton h={110} radius="lg" />
      )}
      {me && me.following.edges.length > 0 && (
        <Paper withBorder radius="lg" p="md">
          <Title order={2} fz="md" mb="sm">
            {t('aside.following')}
          </Title>
          <Stack gap="sm">
            {me.following.edges.slice(0, 5).map(({ node }) => (
              <PersonLine key={node.id} person={node} />
            ))}
          </Stack>
        </Paper>
      )}
      {hasShortcuts && <Keys />}
    </Stack>
  );
}

function SearchBox() {
  const t = useReaderTexts();
  const c = useCommonTexts();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  function submit(event: FormEvent): void {
    event.preventDefault();
    void navigate(`/search?q=${encodeURIComponent(text.trim())}`);
  }
  return (
    <search>
      <form onSubmit={submit}>
        <TextInput
          radius="xl"
          aria-label={t('search.title')}
          placeholder={c('filter.search')}
          leftSection={<Search size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}

const KEYS = ['j', 'k', 'l', 'n', '/'] as const;

function Keys() {
  const t = useReaderTexts();
  return (
    <Box px="xs">
      <Text size="xs" c="dimmed" mb={6}>
        {t('aside.keys')}
      </Text>
      <Group gap="xs">
        {KEYS.map((key) => (
          <Group key={key} gap={4} wrap="nowrap">
            <Kbd size="xs">{key}</Kbd>
            <Text size="xs" c="dimmed">
              {t(`keys.${key}`)}
            </Text>
          </Group>
        ))}
      </Group>
    </Box>
  );
}
