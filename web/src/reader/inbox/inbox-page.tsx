import { Box, Button, SegmentedControl } from '@mantine/core';
import { CheckCheck } from 'lucide-react';
import { useAct } from '../../common/ui/act.js';
import { useFilters } from '../../common/ui/filters.js';
import { usePages } from '../../common/ui/pages.js';
import type { InboxFilter, ReaderInboxItemFragment } from '../../generated/graphql.js';
import { ListOf } from '../people/person-lists.js';
import { Screen } from '../shell/screen.js';
import { useReaderTexts } from '../texts.js';
import { InboxItem } from './inbox-item.js';
import { useUnread } from './live-inbox.js';
import { Inbox, MarkInbox } from './queries.js';

const FILTERS = ['ALL', 'UNREAD', 'ARCHIVED'] as const satisfies InboxFilter[];
const render = (item: ReaderInboxItemFragment) => <InboxItem item={item} />;

export default function InboxPage() {
  const t = useReaderTexts();
  const unread = useUnread();
  const [filters, setFilters] = useFilters({ show: 'ALL' });
  const filter = FILTERS.find((one) => one === filters.show) ?? 'ALL';
  const pages = usePages(Inbox, { filter }, ({ inbox }) => inbox);
  const markAll = useAct(MarkInbox, {
    done: ({ markInbox }) => t('inbox.allRead', { count: markInbox.changed }),
    refetch: ['ReaderInbox'],
  });
  return (
    <Screen
      title={t('inbox.title')}
      actions={
        unread > 0 && (
          <Button
            variant="subtle"
            size="xs"
            leftSection={<CheckCheck size={16} aria-hidden />}
            loading={markAll.isRunning}
            onClick={() => void markAll.act({ action: 'READ' })}
          >
            {t('inbox.readAll')}
          </Button>
        )
      }
    >
      <Box px="md" py="sm" style={{ borderBottom: '1px solid var(--reader-line)' }}>
        <SegmentedControl
          fullWidth
          radius="xl"
          aria-label={t('inbox.filter')}
          value={filter}
          onChange={(show) => setFilters({ show })}
          data={FILTERS.map((value) => ({ value, label: t(`inbox.show.${value}`) }))}
        />
      </Box>
      <ListOf
        key={filter}
        pages={pages}
        name={`inbox ${filter}`}
        label={t('inbox.title')}
        empty={t(`inbox.empty.${filter}`)}
        render={render}
      />
    </Screen>
  );
}
