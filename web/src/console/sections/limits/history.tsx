import { useQuery } from '@apollo/client/react';
import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { CodeDiff } from '../../../common/ui/code-diff.js';
import { ConfirmDialog } from '../../../common/ui/confirm-dialog.js';
import { DataList } from '../../../common/ui/data-list.js';
import { Dialog } from '../../../common/ui/dialog.js';
import { useFilters } from '../../../common/ui/filters.js';
import { usePages } from '../../../common/ui/pages.js';
import { Status } from '../../../common/ui/status.js';
import { Time } from '../../../common/ui/time.js';
import type { LimitsHistoryQuery } from '../../../generated/graphql.js';
import { PersonLink } from '../../person-link.js';
import { rulesDocument } from './documents.js';
import { readDraft, saveDraft } from './draft.js';
import { PutDialog } from './put-dialog.js';
import { useTexts } from './texts.js';

const historyDocument = graphql(/* GraphQL */ `
  query LimitsHistory($after: String) {
    rateLimitRulesHistory(first: 10, after: $after) {
      edges {
        cursor
        node {
          id
          document
          putAt
          putBy
          version
          correlationId
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

type Put = NonNullable<LimitsHistoryQuery['rateLimitRulesHistory']>['edges'][number]['node'];

/** Every document that was put; one is opened by its id in the URL. */
export function History() {
  const t = useTexts();
  const [{ open }, set] = useFilters({ open: '' });
  const rules = useQuery(rulesDocument);
  const version = rules.data?.rateLimitRules?.version;
  const { list, refetch, asked } = usePages(historyDocument, {}, (answer) => answer.rateLimitRulesHistory);
  const { rows, hasMore, moreError, loadMore } = list;
  const index = rows.findIndex(({ id }) => id === open);
  // A link may open one of further pages, and what was put before it may be on the next one.
  const isWanted = open !== '' && (index < 0 || index === rows.length - 1) && hasMore && !moreError;
  useEffect(() => {
    if (isWanted) loadMore();
  }, [isWanted, loadMore]);
  return (
    <>
      <DataList
        asked={asked}
        label={t('history.title')}
        {...list}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/limits/history?open=${encodeURIComponent(id)}`}
        empty={{ title: t('history.none'), help: t('history.noneHelp') }}
        columns={[
          {
            key: 'at',
            header: t('history.at'),
            width: 'minmax(115px, 1.2fr)',
            render: ({ putAt }) => <Time at={putAt} relative />,
          },
          {
            key: 'by',
            header: t('history.by'),
            width: 'minmax(60px, 1fr)',
            render: ({ putBy }) => <PersonLink userId={putBy} />,
          },
          {
            key: 'version',
            header: t('history.version'),
            width: 'minmax(120px, 1fr)',
            isWideOnly: true,
            render: (put) => (
              <Group gap={6}>
                <Text span size="sm" ff="monospace">
                  {put.version}
                </Text>
                {put.version === version && <Status tone="good">{t('history.inForce')}</Status>}
              </Group>
            ),
          },
          {
            key: 'show',
            header: t('history.changes'),
            width: '95px',
            render: ({ id }) => (
              <Anchor component={Link} to={`/limits/history?open=${encodeURIComponent(id)}`} size="sm">
                {t('history.show')}
              </Anchor>
            ),
          },
        ]}
      />
      {index >= 0 && (
        <OnePut
          key={open}
          put={rows[index]!}
          previous={rows[index + 1]}
          inForce={rules.data?.rateLimitRules ?? undefined}
          onClose={() => set({ open: null })}
          onRestored={() => {
            set({ open: null });
            void refetch().catch(() => undefined);
          }}
        />
      )}
    </>
  );
}

interface OnePutProps {
  readonly put: Put;
  readonly previous: Put | undefined;
  readonly inForce: { readonly document: string; readonly version: string } | undefined;
  readonly onClose: () => void;
  readonly onRestored: () => void;
}

function OnePut({ put, previous, inForce, onClose, onRestored }: OnePutProps) {
  const t = useTexts();
  const navigate = useNavigate();
  const [compared, setCompared] = useState<string>(previous ? 'previous' : 'inForce');
  const [isRestoring, setRestoring] = useState(false);
  const [isReplacing, setReplacing] = useState(false);
  const isCurrent = put.version === inForce?.version;
  function edit(): void {
    saveDraft({ document: put.document, baseVersion: inForce?.version ?? put.version });
    void navigate('/limits');
  }
  function askToEdit(): void {
    const written = readDraft()?.document;
    if (written === undefined || written === put.document) edit();
    else setReplacing(true);
  }
  if (isRestoring && inForce)
    return (
      <PutDialog
        document={put.document}
        baseVersion={inForce.version}
        onClose={() => setRestoring(false)}
        onPut={onRestored}
      />
    );
  if (isReplacing)
    return (
      <ConfirmDialog
        title={t('history.replaceTitle')}
        text={t('history.replaceHelp')}
        confirm={t('history.replace')}
        isDangerous
        onClose={() => setReplacing(false)}
        onConfirm={edit}
      />
    );
  return (
    <Dialog onClose={onClose} size="xl" title={t('history.one', { version: put.version })}>
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('history.putBy', { user: put.putBy })} <Time at={put.putAt} /> · {t('history.correlation')}{' '}
          <Anchor
            component={Link}
            to={`/events?correlationId=${encodeURIComponent(put.correlationId)}`}
            size="sm"
            underline="always"
          >
            {put.correlationId}
          </Anchor>
        </Text>
        <Select
          label={t('history.compare')}
          value={compared}
          onChange={(value) => setCompared(value ?? 'inForce')}
          allowDeselect={false}
          data={[
            ...(previous ? [{ value: 'previous', label: t('history.previous') }] : []),
            { value: 'inForce', label: t('history.withInForce') },
          ]}
        />
        {compared === 'previous' && previous ? (
          <CodeDiff
            label={t('history.compare')}
            before={previous.document}
            after={put.document}
            language="yaml"
          />
        ) : (
          <CodeDiff
            label={t('history.compare')}
            before={inForce?.document ?? ''}
            after={put.document}
            language="yaml"
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={askToEdit}>
            {t('history.edit')}
          </Button>
          <Button disabled={isCurrent || !inForce} onClick={() => setRestoring(true)}>
            {t('history.restore')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
