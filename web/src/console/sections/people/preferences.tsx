import { useQuery } from '@apollo/client/react';
import { Button, Group, ScrollArea, Stack, Switch, Table, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { graphql } from '../../../common/graphql.js';
import { useAct } from '../../../common/ui/act.js';
import { Loaded } from '../../../common/ui/states.js';
import type { Channel, PersonPreferencesQuery } from '../../../generated/graphql.js';
import { channels, useChannelName } from '../../channels.js';
import { useTexts } from './texts.js';

const preferencesDocument = graphql(/* GraphQL */ `
  query PersonPreferences($userId: ID!) {
    notificationPreferences(userId: $userId) {
      id
      preferences {
        notificationType
        channel
        enabled
        updatedAt
      }
    }
    templates(first: 100) {
      edges {
        cursor
        node {
          id
          notificationType
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const setDocument = graphql(/* GraphQL */ `
  mutation PersonSetPreference($userId: ID!, $preferences: [ChannelPreferenceInput!]!) {
    setNotificationPreferences(input: { userId: $userId, preferences: $preferences }) {
      preferences {
        id
        preferences {
          notificationType
          channel
          enabled
          updatedAt
        }
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** Types × channels. What they never set is on; an admin may switch for them, each switch at once. */
export function Preferences({ userId }: { readonly userId: string }) {
  const query = useQuery(preferencesDocument, { variables: { userId } });
  return <Loaded query={query}>{(data) => <Matrix userId={userId} data={data} />}</Loaded>;
}

interface MatrixProps {
  readonly userId: string;
  readonly data: PersonPreferencesQuery;
}

function Matrix({ userId, data }: MatrixProps) {
  const t = useTexts();
  const channelName = useChannelName();
  const [added, setAdded] = useState<readonly string[]>([]);
  const { act } = useAct(setDocument, { done: t('preferences.done'), inOrder: userId });
  const set = data.notificationPreferences?.preferences ?? [];
  const types = [
    ...new Set([
      ...set.map(({ notificationType }) => notificationType),
      ...(data.templates?.edges.map(({ node }) => node.notificationType) ?? []),
      ...added,
    ]),
  ].sort();
  const isOn = (type: string, channel: Channel): boolean =>
    set.find((one) => one.notificationType === type && one.channel === channel)?.enabled ?? true;
  const change = (type: string, changed: readonly Channel[], enabled: boolean) =>
    void act({
      userId,
      preferences: changed.map((channel) => ({ notificationType: type, channel, enabled })),
    });
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('preferences.about')}
      </Text>
      <ScrollArea
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t('tabs.preferences') }}
      >
        <Table miw={560} maw={900} highlightOnHover verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('preferences.type')}</Table.Th>
              {channels.map((channel) => (
                <Table.Th key={channel} w={90}>
                  {channelName(channel)}
                </Table.Th>
              ))}
              <Table.Th w={130}>{t('preferences.all')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {types.map((type) => {
              const isAnyOn = channels.some((channel) => isOn(type, channel));
              return (
                <Table.Tr key={type}>
                  <Table.Th scope="row" fw={400} style={{ overflowWrap: 'anywhere' }}>
                    {type}
                  </Table.Th>
                  {channels.map((channel) => (
                    <Table.Td key={channel}>
                      <Switch
                        aria-label={t('preferences.switch', { type, channel: channelName(channel) })}
                        checked={isOn(type, channel)}
                        onChange={(event) => change(type, [channel], event.currentTarget.checked)}
                      />
                    </Table.Td>
                  ))}
                  <Table.Td>
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={t(isAnyOn ? 'preferences.allOffOf' : 'preferences.allOnOf', { type })}
                      onClick={() => change(type, channels, !isAnyOn)}
                    >
                      {t(isAnyOn ? 'preferences.allOff' : 'preferences.allOn')}
                    </Button>
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </ScrollArea>
      <AddType onAdd={(type) => setAdded((before) => [...before, type])} />
    </Stack>
  );
}

function AddType({ onAdd }: { readonly onAdd: (type: string) => void }) {
  const t = useTexts();
  const form = useForm({ initialValues: { type: '' } });
  return (
    <form
      onSubmit={form.onSubmit(({ type }) => {
        if (type.trim()) onAdd(type.trim());
        form.reset();
      })}
    >
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t('preferences.other')}
          description={t('preferences.otherHelp')}
          maxLength={64}
          {...form.getInputProps('type')}
        />
        <Button type="submit" variant="default">
          {t('preferences.show')}
        </Button>
      </Group>
    </form>
  );
}
