import { Alert, Group, Select, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useCommonTexts } from '../../../common/i18n.js';
import { CopyAs } from '../../../common/ui/copy.js';
import { DataList } from '../../../common/ui/data-list.js';
import { useFilters } from '../../../common/ui/filters.js';
import { Page } from '../../../common/ui/page.js';
import { usePages } from '../../../common/ui/pages.js';
import { channels, useChannelChoices } from '../../channels.js';
import { isOneOf, pathOfNotification } from '../notifications/words.js';
import { ActionBar } from './action-bar.js';
import { type Letter, useColumns } from './columns.js';
import { deadLettersQuery } from './documents.js';
import { useTexts } from './texts.js';

export default function DeadLettersSection() {
  const t = useTexts();
  const c = useCommonTexts();
  const [filters, set] = useFilters({ channel: '' });
  const channel = isOneOf(channels, filters.channel) ? filters.channel : null;
  const { list, data } = usePages(deadLettersQuery, { channel }, ({ deadLetters }) => deadLetters);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((deliveryId: string, isChosen: boolean) => {
    setChosen((before) => {
      const next = new Set(before);
      if (isChosen) next.add(deliveryId);
      else next.delete(deliveryId);
      return next;
    });
  }, []);
  const total = data?.deadLetters?.totalCount ?? 0;
  const { rows } = list;
  const shown = rows.filter(({ deliveryId }) => chosen.has(deliveryId)).map(({ deliveryId }) => deliveryId);
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={<CopyAs document={deadLettersQuery} variables={{ channel }} />}
    >
      <Group justify="space-between" align="flex-end">
        <Group align="flex-end">
          <Select
            label={t('filter.channel')}
            placeholder={c('filter.any')}
            clearable
            w={150}
            data={useChannelChoices()}
            value={channel}
            onChange={(value) => {
              setChosen(new Set());
              set({ channel: value });
            }}
          />
          {data !== undefined && (
            <Text size="sm" c="dimmed" pb={8}>
              {data.deadLetters?.totalCountIsEstimate ? '≈ ' : ''}
              {t('open', { count: total })}
            </Text>
          )}
        </Group>
        {total > 0 && (
          <ActionBar
            chosen={shown}
            channel={channel}
            total={total}
            chooseShown={(isChosen) =>
              setChosen(new Set(isChosen ? rows.map(({ deliveryId }) => deliveryId) : []))
            }
            isAllShown={shown.length === rows.length}
            onDone={() => setChosen(new Set())}
          />
        )}
      </Group>
      {data?.deadLetters === null && <Alert color="yellow">{t('notAllowed')}</Alert>}
      <DataList<Letter>
        label={t('title')}
        {...list}
        columns={useColumns(chosen, toggle)}
        keyOf={({ id }) => id}
        linkOf={({ notificationId, deliveryId }) => pathOfNotification(notificationId, deliveryId)}
        empty={{ title: t('empty'), help: t('emptyHelp') }}
      />
    </Page>
  );
}
