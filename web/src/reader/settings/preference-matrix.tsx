import { ScrollArea, Switch, Table, Text } from '@mantine/core';
import type { Channel, ReaderPreferencesQuery } from '../../generated/graphql.js';
import { useAtOnce } from '../at-once.js';
import { useReaderTexts } from '../texts.js';
import classes from './preference-matrix.module.css';
import { SetPreferences } from './queries.js';

const CHANNELS = ['PUSH', 'IN_APP', 'EMAIL', 'SMS'] as const satisfies Channel[];

/** Those that the feed sends, and those of the usual producers; what a reader has set for others is listed too. */
const TYPES = [
  'POST_LIKED',
  'POST_COMMENTED',
  'COMMENT_REPLY',
  'USER_MENTIONED',
  'POST_SHARED',
  'NEW_FOLLOWER',
  'NEW_POST',
  'NEW_MESSAGE',
  'ORDER_SHIPPED',
  'RECOMMENDATION',
  'WEEKLY_DIGEST',
  'MARKETING_CAMPAIGN',
] as const;
const isKnown = (type: string): type is (typeof TYPES)[number] => TYPES.some((known) => known === type);

type Preference = NonNullable<ReaderPreferencesQuery['notificationPreferences']>['preferences'][number];

interface PreferenceMatrixProps {
  readonly id: string;
  readonly preferences: readonly Preference[];
}

/** Each kind of notification by each channel. A pair that nobody has set is on. */
export function PreferenceMatrix({ id, preferences }: PreferenceMatrixProps) {
  const t = useReaderTexts();
  const atOnce = useAtOnce();
  const others = preferences.map(({ notificationType }) => notificationType).filter((type) => !isKnown(type));
  const types = [...TYPES, ...new Set(others)];
  const nameOf = (type: string) => (isKnown(type) ? t(`notification.${type}`) : type);
  const isOn = (type: string, channel: Channel) =>
    preferences.find((one) => one.notificationType === type && one.channel === channel)?.enabled ?? true;

  function set(notificationType: string, channel: Channel, enabled: boolean): void {
    const changed = { __typename: 'ChannelPreference' as const, notificationType, channel, enabled };
    const rest = preferences.filter(
      (one) => one.notificationType !== notificationType || one.channel !== channel,
    );
    void atOnce({
      mutation: SetPreferences,
      variables: { preferences: [{ notificationType, channel, enabled }] },
      inOrder: id,
      expected: {
        setNotificationPreferences: {
          __typename: 'SetNotificationPreferencesPayload',
          preferences: { __typename: 'NotificationPreferences', id, preferences: [...rest, changed] },
          userErrors: [],
        },
      },
    });
  }

  return (
    <ScrollArea>
      <Table verticalSpacing={8} horizontalSpacing={6} miw={320}>
        <Table.Thead>
          <Table.Tr className={classes.row}>
            <Table.Th>{t('settings.matrix.kind')}</Table.Th>
            {CHANNELS.map((channel) => (
              <Table.Th key={channel} ta="center" w={64}>
                <Text size="xs" fw={600}>
                  {t(`channel.${channel}`)}
                </Text>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {types.map((type) => (
            <Table.Tr key={type} className={classes.row}>
              <Table.Th scope="row" fw={400} style={{ overflowWrap: 'anywhere' }}>
                {nameOf(type)}
              </Table.Th>
              {CHANNELS.map((channel) => (
                <Table.Td key={channel}>
                  <Switch
                    size="sm"
                    styles={{ body: { justifyContent: 'center' } }}
                    aria-label={t('settings.matrix.cell', {
                      kind: nameOf(type),
                      channel: t(`channel.${channel}`),
                    })}
                    checked={isOn(type, channel)}
                    onChange={(event) => set(type, channel, event.currentTarget.checked)}
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}
