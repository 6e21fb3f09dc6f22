import { useApolloClient, useQuery } from '@apollo/client/react';
import { Alert, Anchor, Button, Group, Tabs, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { useFilters } from '../../../common/ui/filters.js';
import { Page } from '../../../common/ui/page.js';
import { Empty, Loaded } from '../../../common/ui/states.js';
import { Status } from '../../../common/ui/status.js';
import { Time } from '../../../common/ui/time.js';
import type { ConsoleTemplateVersionsQuery, TemplateTextFragment } from '../../../generated/graphql.js';
import { useChannelName } from '../../channels.js';
import { TemplateDocument, TemplateVersionsDocument } from './documents.js';
import { draftOf, type TemplateDraft, useKeptDraft } from './draft.js';
import { TemplateEditor } from './editor.js';
import { PublishButtons } from './publish.js';
import { useTexts } from './texts.js';
import { Versions } from './versions.js';
import { pathOf } from './words.js';

export type Version = NonNullable<ConsoleTemplateVersionsQuery['template']>['versions'][number];

/** One version of a template: its texts, which become the next version when they are changed, and its history. */
export function TemplatePage() {
  const t = useTexts();
  const channelName = useChannelName();
  const { templateId = '' } = useParams();
  const query = useQuery(TemplateDocument, { variables: { templateId } });
  const history = useQuery(TemplateVersionsDocument, { variables: { templateId }, pollInterval: 5_000 });
  const versions = history.data?.template?.versions ?? [];
  const template = query.data?.template;
  return (
    <Page
      title={template?.notificationType ?? t('title')}
      about={
        <>
          <Anchor component={Link} to="/templates" size="sm" underline="always">
            {t('edit.back')}
          </Anchor>
          {template && (
            <>
              {' '}
              · {channelName(template.channel)} · {template.language} ·{' '}
              {t('edit.version', { version: template.version })}
            </>
          )}
        </>
      }
      actions={
        template && (
          <>
            <Status tone={template.isActive ? 'good' : 'over'}>
              {template.isActive ? t('edit.active') : t('edit.inactive')}
            </Status>
            <Button
              component={Link}
              variant="default"
              to={`/templates/new?from=${encodeURIComponent(template.templateId)}`}
            >
              {t('edit.copy')}
            </Button>
            <PublishButtons version={template} active={versions.find(({ isActive }) => isActive)} />
          </>
        )
      }
    >
      <Loaded query={query}>
        {({ template: found }) => {
          if (!found) return <Empty title={t('edit.notFound')} />;
          return <Parts key={found.id} template={found} versions={versions} />;
        }}
      </Loaded>
    </Page>
  );
}

interface PartsProps {
  readonly template: TemplateTextFragment;
  /** Newest first; empty until they are loaded. */
  readonly versions: readonly Version[];
}

function Parts({ template, versions }: PartsProps) {
  const t = useTexts();
  const [{ tab }, set] = useFilters({ tab: 'edit' });
  return (
    <Tabs value={tab} onChange={(next) => set({ tab: next })} keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="edit">{t('edit.tab')}</Tabs.Tab>
        <Tabs.Tab value="versions">{t('versions.tab', { count: versions.length })}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="edit">
        <Edited template={template} versions={versions} />
      </Tabs.Panel>
      <Tabs.Panel value="versions">
        <Versions template={template} versions={versions} />
      </Tabs.Panel>
    </Tabs>
  );
}

function Edited({ template, versions }: PartsProps) {
  const client = useApolloClient();
  const [kept, keep, forget] = useKeptDraft(template.templateId);
  const stored = draftOf(template);
  const draft = kept?.draft ?? stored;
  const newest = versions[0];
  const isNewer = kept !== null && newest !== undefined && newest.version > kept.newest;
  const set = (changes: Partial<TemplateDraft>) =>
    keep({ draft: { ...draft, ...changes }, newest: kept?.newest ?? newest?.version ?? template.version });

  /** The last look before it is saved: where another version is there by then, it is shown first. */
  async function mayStore(): Promise<boolean> {
    const { templateId } = template;
    // Where the server does not answer, saving says so.
    const answer = await client
      .query({ query: TemplateVersionsDocument, variables: { templateId }, fetchPolicy: 'network-only' })
      .catch(() => undefined);
    const last = answer?.data?.template?.versions[0]?.version ?? 0;
    return isNewer || kept === null || last <= kept.newest;
  }

  return (
    <>
      {isNewer && <SavedMeanwhile template={template} newest={newest} />}
      <TemplateEditor
        draft={draft}
        set={set}
        isChanged={kept !== null && JSON.stringify(draft) !== JSON.stringify(stored)}
        discard={forget}
        mayStore={mayStore}
      />
    </>
  );
}

function SavedMeanwhile({
  template,
  newest,
}: {
  readonly template: TemplateTextFragment;
  readonly newest: Version;
}) {
  const t = useTexts();
  return (
    <Alert color="yellow" mb="md" role="alert" title={t('meanwhile.title', { version: newest.version })}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {t('meanwhile.by', { user: newest.createdBy ?? '–' })} <Time at={newest.createdAt} relative />.{' '}
          {t('meanwhile.kept')}
        </Text>
        <Group gap="xs">
          <Button
            component={Link}
            size="xs"
            variant="default"
            to={`${pathOf(template.id)}?tab=versions&right=${encodeURIComponent(newest.templateId)}&left=${encodeURIComponent(template.templateId)}`}
          >
            {t('meanwhile.compare')}
          </Button>
          <Button component={Link} size="xs" variant="default" to={pathOf(newest.id)}>
            {t('meanwhile.open')}
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}
