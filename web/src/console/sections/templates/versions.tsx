import { useQuery } from '@apollo/client/react';
import { Anchor, Group, NativeSelect, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { CodeDiff } from '../../../common/ui/code-diff.js';
import { useFilters } from '../../../common/ui/filters.js';
import { Empty, Failure, Loading } from '../../../common/ui/states.js';
import { Status } from '../../../common/ui/status.js';
import { Time } from '../../../common/ui/time.js';
import type { TemplateTextFragment } from '../../../generated/graphql.js';
import { TemplateDocument } from './documents.js';
import { draftOf } from './draft.js';
import { PublishButtons } from './publish.js';
import type { Version } from './template-page.js';
import { useTexts } from './texts.js';
import { pathOf, textsOf } from './words.js';

interface VersionsProps {
  readonly template: TemplateTextFragment;
  readonly versions: readonly Version[];
}

/** Every version of the text, and what two of them differ in. */
export function Versions({ template, versions }: VersionsProps) {
  const t = useTexts();
  const active = versions.find(({ isActive }) => isActive);
  if (versions.length === 0) return <Loading rows={3} />;
  return (
    <Stack gap="lg">
      <Stack gap={0} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {versions.map((version) => (
          <Group
            key={version.id}
            component="li"
            justify="space-between"
            py="xs"
            style={{ borderBottom: '1px solid var(--row-border)' }}
          >
            <Group gap="sm">
              <Anchor component={Link} to={pathOf(version.id)} fw={600} size="sm">
                {t('edit.version', { version: version.version })}
              </Anchor>
              {version.isActive && <Status tone="good">{t('edit.active')}</Status>}
              {version.id === template.id && (
                <Text size="xs" c="dimmed">
                  {t('versions.this')}
                </Text>
              )}
              <Text size="sm" c="dimmed">
                <Time at={version.createdAt} />
                {version.createdBy && ` · ${version.createdBy}`}
              </Text>
            </Group>
            <PublishButtons version={version} active={active} size="xs" />
          </Group>
        ))}
      </Stack>
      {versions.length > 1 && <Compared template={template} versions={versions} />}
    </Stack>
  );
}

function Compared({ template, versions }: VersionsProps) {
  const t = useTexts();
  const before = versions.find(({ version }) => version < template.version) ?? versions[0]!;
  const other = versions.find(({ isActive, id }) => isActive && id !== template.id) ?? before;
  const [chosen, set] = useFilters({ left: other.templateId, right: template.templateId });
  const ofLeft = useQuery(TemplateDocument, { variables: { templateId: chosen.left } });
  const ofRight = useQuery(TemplateDocument, { variables: { templateId: chosen.right } });
  const failed = [ofLeft, ofRight].find(({ error }) => error);
  const [left, right] = [ofLeft.data?.template, ofRight.data?.template];
  const options = versions.map(({ templateId, version, isActive }) => ({
    value: templateId,
    label: `${t('edit.version', { version })}${isActive ? ` (${t('edit.active')})` : ''}`,
  }));
  return (
    <Paper withBorder p="md" component="section" aria-label={t('versions.diff')}>
      <Stack>
        <Title order={2}>{t('versions.diff')}</Title>
        <Group grow>
          <NativeSelect
            label={t('versions.left')}
            data={options}
            value={chosen.left}
            onChange={(event) => set({ left: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('versions.right')}
            data={options}
            value={chosen.right}
            onChange={(event) => set({ right: event.currentTarget.value })}
          />
        </Group>
        {failed ? (
          <Failure error={failed.error} retry={() => void failed.refetch()} />
        ) : left === null || right === null ? (
          <Empty title={t('edit.notFound')} />
        ) : left && right ? (
          <CodeDiff
            label={t('versions.diff')}
            before={asText(left)}
            after={asText(right)}
            language="liquid"
          />
        ) : (
          <Loading rows={3} />
        )}
      </Stack>
    </Paper>
  );
}

/** Everything of a version in one text, in an order that does not depend on it. */
function asText(template: TemplateTextFragment): string {
  const { texts, variables, syntax, contentAvailable, voip, channel } = draftOf(template);
  const parts = textsOf(channel)
    .filter((field) => texts[field] !== '')
    .map((field) => `# ${field}\n${texts[field]}`);
  const declared = variables.map(
    ({ name, type, required, default: byDefault }) =>
      `${name}: ${type}${required ? ', required' : ''}${byDefault === '' ? '' : `, default ${byDefault}`}`,
  );
  const flags = [contentAvailable && 'content-available', voip && 'voip'].filter(Boolean).join(', ');
  return [
    `# syntax\n${syntax}`,
    ...parts,
    ...(flags ? [`# push\n${flags}`] : []),
    `# variables\n${declared.join('\n')}`,
  ].join('\n\n');
}
