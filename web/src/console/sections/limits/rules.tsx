import { useQuery } from '@apollo/client/react';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type UserFault, useAct } from '../../../common/ui/act.js';
import { CodeDiff } from '../../../common/ui/code-diff.js';
import { CodeEditor } from '../../../common/ui/code-editor.js';
import { Failure, Loading } from '../../../common/ui/states.js';
import { Time } from '../../../common/ui/time.js';
import type { LimitsRulesQuery } from '../../../generated/graphql.js';
import { faultsIn } from '../../fault-places.js';
import { dryRunDocument, rulesDocument } from './documents.js';
import { useDraft } from './draft.js';
import { type DryRun, DryRunResult } from './dry-run.js';
import { PutDialog } from './put-dialog.js';
import { useTexts } from './texts.js';
import { useFaults } from './validation.js';

type RuleSet = NonNullable<LimitsRulesQuery['rateLimitRules']>;

/** The rules in force, in an editor: checked while they are written, tried, and put. */
export function Rules() {
  const query = useQuery(rulesDocument, {
    pollInterval: 10_000,
    // With other policies, what a put writes is not shown as long as a poll is under way.
    nextFetchPolicy: 'cache-and-network',
  });
  const { data, error, refetch } = query;
  if (!data?.rateLimitRules)
    return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading />;
  return (
    <>
      {error && <Failure error={error} retry={() => void refetch()} />}
      <Editor inForce={data.rateLimitRules} />
    </>
  );
}

function Editor({ inForce }: { readonly inForce: RuleSet }) {
  const t = useTexts();
  const [draft, setDraft] = useDraft();
  const text = draft?.document ?? inForce.document;
  const isChanged = text !== inForce.document;
  const { faults, isChecked, failure } = useFaults(text, isChanged);
  const [result, setResult] = useState<{ readonly of: string; readonly dryRun: DryRun }>();
  const [isPutting, setPutting] = useState(false);
  const dryRun = useAct(dryRunDocument);

  function write(document: string): void {
    if (document === text) return;
    if (document === inForce.document) setDraft(undefined);
    else setDraft({ document, baseVersion: draft?.baseVersion ?? inForce.version });
  }
  async function tryOut(): Promise<void> {
    const outcome = await dryRun.act({ document: text });
    setResult(outcome.ok ? { of: text, dryRun: outcome.data.putRateLimitRules } : undefined);
  }

  return (
    <Stack>
      <InForce ruleSet={inForce} />
      {draft && isChanged && draft.baseVersion !== inForce.version && (
        <Conflict
          inForce={inForce}
          draft={text}
          onKeep={() => setDraft({ ...draft, baseVersion: inForce.version })}
          onTake={() => setDraft(undefined)}
        />
      )}
      <CodeEditor
        label={t('rules.editor')}
        description={t('rules.editorHelp')}
        language="yaml"
        value={text}
        onChange={write}
        faults={faultsIn(faults)}
        minHeight="16rem"
        maxHeight="60vh"
      />
      <Group justify="space-between">
        <Text size="sm" role="status" c={faults.length > 0 ? 'var(--mantine-color-error)' : 'dimmed'}>
          {!isChanged
            ? t('rules.unchanged')
            : !isChecked
              ? failure
                ? t('rules.notChecked', { failure })
                : t('rules.checking')
              : faults.length > 0
                ? t('rules.faults', { count: faults.length })
                : t('rules.valid')}
        </Text>
        <Group gap="xs">
          <Button variant="default" disabled={!isChanged} onClick={() => setDraft(undefined)}>
            {t('rules.discard')}
          </Button>
          <Button variant="default" loading={dryRun.isRunning} onClick={() => void tryOut()}>
            {t('dryRun.run')}
          </Button>
          <Button disabled={!isChanged || !isChecked || faults.length > 0} onClick={() => setPutting(true)}>
            {t('put.open')}
          </Button>
        </Group>
      </Group>
      <FaultList faults={faults} />
      {result && result.of === text && <DryRunResult result={result.dryRun} />}
      {isPutting && (
        <PutDialog
          document={text}
          baseVersion={draft?.baseVersion ?? inForce.version}
          onClose={() => setPutting(false)}
          onPut={() => {
            setPutting(false);
            setDraft(undefined);
          }}
        />
      )}
    </Stack>
  );
}

function InForce({ ruleSet }: { readonly ruleSet: RuleSet }) {
  const t = useTexts();
  return (
    <Stack gap="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t('rules.inForce', { version: ruleSet.version, source: ruleSet.source })}{' '}
        <Time at={ruleSet.loadedAt} />
      </Text>
      {ruleSet.lastError && (
        <Alert color="red" title={t('rules.lastError')}>
          {ruleSet.lastError}
        </Alert>
      )}
      {ruleSet.warnings.length > 0 && (
        <Alert color="yellow" title={t('rules.warnings')}>
          {ruleSet.warnings.map((warning) => (
            <Text size="sm" key={warning}>
              {warning}
            </Text>
          ))}
        </Alert>
      )}
    </Stack>
  );
}

interface ConflictProps {
  readonly inForce: RuleSet;
  readonly draft: string;
  readonly onKeep: () => void;
  readonly onTake: () => void;
}

/** Somebody put other rules since the draft was begun: what putting the draft would undo. */
function Conflict({ inForce, draft, onKeep, onTake }: ConflictProps) {
  const t = useTexts();
  return (
    <Alert color="yellow" title={t('put.conflict')} role="alert">
      <Stack gap="sm">
        <Text size="sm">{t('put.conflictHelp', { source: inForce.source, version: inForce.version })}</Text>
        <CodeDiff
          label={t('put.diff')}
          before={inForce.document}
          after={draft}
          language="yaml"
          maxHeight="16rem"
        />
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onKeep}>
            {t('put.keepMine')}
          </Button>
          <Button size="xs" variant="default" onClick={onTake}>
            {t('put.takeTheirs')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function FaultList({ faults }: { readonly faults: readonly UserFault[] }) {
  if (faults.length === 0) return null;
  return (
    <ul style={{ margin: 0, paddingInlineStart: '1.25rem' }}>
      {faults.map(({ message }) => (
        <li key={message}>
          <Text size="sm">{message}</Text>
        </li>
      ))}
    </ul>
  );
}
