import { useQuery } from '@apollo/client/react';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useCommonTexts } from '../../../common/i18n.js';
import { useAct } from '../../../common/ui/act.js';
import { CodeDiff } from '../../../common/ui/code-diff.js';
import { Dialog } from '../../../common/ui/dialog.js';
import { Loaded } from '../../../common/ui/states.js';
import { putDocument, rulesDocument } from './documents.js';
import { useTexts } from './texts.js';

interface PutDialogProps {
  readonly document: string;
  /** The version that was in force when the document was begun. */
  readonly baseVersion: string;
  readonly onClose: () => void;
  readonly onPut: () => void;
}

/** Shows what putting a document in force would change of what is in force at this moment, and asks. */
export function PutDialog({ document, baseVersion, onClose, onPut }: PutDialogProps) {
  const t = useTexts();
  const c = useCommonTexts();
  const query = useQuery(rulesDocument, { fetchPolicy: 'network-only', nextFetchPolicy: 'cache-first' });
  const put = useAct(putDocument, {
    done: ({ putRateLimitRules }) => t('put.done', { version: putRateLimitRules.ruleSet?.version }),
    // Other rules have another id: without this, all pages would show those before until they read them again.
    update: (cache, { putRateLimitRules: { ruleSet } }) => {
      if (ruleSet) cache.writeQuery({ query: rulesDocument, data: { rateLimitRules: ruleSet } });
    },
  });
  const isFresh = !query.loading;
  async function confirm(expectedVersion: string | undefined): Promise<void> {
    const outcome = await put.act({ document, expectedVersion });
    if (outcome.ok) onPut();
    // What is in force by now is shown, and asked about again.
    else if (outcome.faults.some(({ code }) => code === 'VERSION_CONFLICT')) await query.refetch();
  }
  return (
    <Dialog onClose={onClose} size="xl" title={t('put.title')}>
      <Loaded query={query}>
        {({ rateLimitRules: inForce }) => (
          <Stack>
            {isFresh && inForce && inForce.version !== baseVersion && (
              <Alert color="yellow" title={t('put.conflict')}>
                {t('put.conflictHelp', { source: inForce.source, version: inForce.version })}
              </Alert>
            )}
            <Text size="sm">{t('put.about')}</Text>
            <CodeDiff
              label={t('put.diff')}
              before={inForce?.document ?? ''}
              after={document}
              language="yaml"
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {c('act.cancel')}
              </Button>
              <Button
                onClick={() => void confirm(inForce?.version)}
                loading={put.isRunning}
                disabled={!isFresh}
              >
                {t('put.confirm')}
              </Button>
            </Group>
          </Stack>
        )}
      </Loaded>
    </Dialog>
  );
}
