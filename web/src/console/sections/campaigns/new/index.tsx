import {
  Anchor,
  Button,
  Grid,
  Group,
  NumberInput,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useCallback, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { faultAt as faultOf, useAct } from '../../../../common/ui/act.js';
import { Page } from '../../../../common/ui/page.js';
import { MomentInput } from '../../../../common/ui/typed-input.js';
import type { Priority } from '../../../../generated/graphql.js';
import { useActiveTemplates } from '../../../active-templates.js';
import { DryRunDocument, SendBatchDocument } from '../documents.js';
import { useTexts } from '../texts.js';
import { inputOf, useDraft } from './draft.js';
import { type DryRun, DryRunResult } from './dry-run.js';
import { FilterField } from './filter-field.js';
import { declaredBy, TemplateField, VariableFields } from './template-fields.js';

/** A campaign is written, tried out and sent. What was tried is what is sent: any change asks for another try. */
export function NewCampaign() {
  const t = useTexts();
  const navigate = useNavigate();
  const { draft, set, forget, forgetSent } = useDraft();
  const { templates } = useActiveTemplates();
  const chosen = templates.find(({ templateId }) => templateId === draft.templateId);
  const [estimate, setEstimate] = useState<number | null>(null);
  const [tried, setTried] = useState<{ readonly input: string; readonly dryRun: DryRun } | null>(null);
  const trial = useAct(DryRunDocument);
  const sending = useAct(SendBatchDocument, { done: t('new.sent') });

  const names = chosen ? declaredBy(chosen).map(([name, { type }]) => [name, type] as const) : null;
  const input = inputOf(draft, names, null);
  const asText = JSON.stringify(input);
  const isTried = tried?.input === asText;
  const isComplete = input.batchId !== '' && input.templateId !== '' && input.segment.filter !== '';
  const faults = [...trial.faults, ...sending.faults];
  const faultAt = (field: string) => faultOf(faults, field);
  const onEstimate = useCallback((count: number | null) => setEstimate(count), []);

  async function tryOut(event: FormEvent): Promise<void> {
    event.preventDefault();
    const outcome = await trial.act({ input: { ...input, dryRun: true } });
    const dryRun = outcome.ok ? outcome.data.sendBatch.dryRun : null;
    setTried(dryRun ? { input: asText, dryRun } : null);
  }

  async function send(): Promise<void> {
    const outcome = await sending.act({
      input: inputOf(draft, names, tried?.dryRun.estimatedUsers ?? estimate),
    });
    const campaign = outcome.ok ? outcome.data.sendBatch.campaign : null;
    if (!campaign) return;
    forgetSent(draft);
    void navigate(`/campaigns/of/${encodeURIComponent(campaign.id)}`);
  }

  return (
    <Page
      title={t('new.title')}
      about={
        <Anchor component={Link} to="/campaigns" size="sm">
          {t('campaign.back')}
        </Anchor>
      }
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Paper withBorder p="md">
            <form onSubmit={tryOut}>
              <Stack>
                <TextInput
                  label={t('new.batchId')}
                  description={t('new.batchIdHelp')}
                  required
                  maxLength={64}
                  value={draft.batchId}
                  error={faultAt('batchId')}
                  onChange={(event) => set({ batchId: event.currentTarget.value })}
                />
                <FilterField
                  value={draft.filter}
                  onChange={(filter) => set({ filter })}
                  faults={faults.filter(({ path }) => path?.includes('filter'))}
                  onEstimate={onEstimate}
                />
                <TemplateField {...{ draft, set, faultAt, templates }} />
                <VariableFields {...{ draft, set, faultAt, chosen }} />
                <Pace draft={draft} set={set} faultAt={faultAt} />
                <Group justify="flex-end">
                  <Button variant="default" onClick={forget}>
                    {t('new.clear')}
                  </Button>
                  <Button
                    type="submit"
                    variant={isTried ? 'default' : 'filled'}
                    loading={trial.isRunning}
                    disabled={!isComplete}
                  >
                    {t('dryRun.do')}
                  </Button>
                  {isTried && (
                    <Button loading={sending.isRunning} onClick={send}>
                      {t('new.send', { count: tried.dryRun.estimatedUsers })}
                    </Button>
                  )}
                </Group>
              </Stack>
            </form>
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          {tried && isTried ? (
            <DryRunResult dryRun={tried.dryRun} />
          ) : (
            <Text c="dimmed" size="sm">
              {tried ? t('dryRun.outdated') : t('dryRun.help')}
            </Text>
          )}
        </Grid.Col>
      </Grid>
    </Page>
  );
}

type PaceProps = Pick<ReturnType<typeof useDraft>, 'draft' | 'set'> & {
  readonly faultAt: (field: string) => string | undefined;
};

/** How urgent, when, and how fast. */
function Pace({ draft, set, faultAt }: PaceProps) {
  const t = useTexts();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
      <NumberInput
        label={t('new.maxPerSecond')}
        description={t('new.maxPerSecondHelp')}
        min={1}
        max={1_000_000}
        allowDecimal={false}
        value={draft.maxPerSecond}
        error={faultAt('maxPerSecond')}
        onChange={(value) => set({ maxPerSecond: String(value) })}
      />
      <NumberInput
        label={t('new.windowHours')}
        description={t('new.windowHoursHelp')}
        min={1}
        max={720}
        allowDecimal={false}
        value={draft.windowHours}
        error={faultAt('windowHours')}
        onChange={(value) => set({ windowHours: String(value) })}
      />
      <MomentInput
        label={t('new.scheduleAt')}
        description={t('new.scheduleAtHelp')}
        value={draft.scheduleAt}
        error={faultAt('scheduleAt')}
        onChange={(scheduleAt) => set({ scheduleAt })}
      />
      <Select
        label={t('new.priority')}
        description={t('new.priorityHelp')}
        allowDeselect={false}
        data={(['LOW', 'MEDIUM', 'HIGH'] as const).map((value) => ({ value, label: t(`priority.${value}`) }))}
        value={draft.priority}
        error={faultAt('priority')}
        onChange={(priority) => set({ priority: (priority ?? 'LOW') as Priority })}
      />
    </SimpleGrid>
  );
}
