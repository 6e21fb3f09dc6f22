import { useQuery } from '@apollo/client/react';
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { Alert, Group, Loader, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect } from 'react';
import { useIsAdmin } from '../../../../common/session.js';
import type { UserFault } from '../../../../common/ui/act.js';
import { CodeEditor } from '../../../../common/ui/code-editor.js';
import { Failure } from '../../../../common/ui/states.js';
import { faultsIn } from '../../../fault-places.js';
import { PersonLink } from '../../../person-link.js';
import { EstimateDocument, UserAttributesDocument } from '../documents.js';
import { useTexts } from '../texts.js';
import { type Attribute, wordsAfter } from './filter-words.js';

interface FilterFieldProps {
  readonly value: string;
  readonly onChange: (filter: string) => void;
  /** What a dry run or the sending of it found. */
  readonly faults: readonly UserFault[];
  /** Called with the number of users who match; null where it is not known. */
  readonly onEstimate: (count: number | null) => void;
}

/** Whom a campaign is for, with how many that are. */
export function FilterField({ value, onChange, faults, onEstimate }: FilterFieldProps) {
  const t = useTexts();
  const isAdmin = useIsAdmin();
  const { data } = useQuery(UserAttributesDocument);
  const attributes = (data?.userAttributes ?? []).filter(({ deletedAt }) => !deletedAt);
  const [asked] = useDebouncedValue(value.trim(), 500);
  const query = useQuery(EstimateDocument, { variables: { filter: asked }, skip: asked === '' });
  const estimate = query.data?.estimateSegment;
  const isKnown = asked !== '' && asked === value.trim() && estimate?.userErrors.length === 0;
  const count = isKnown ? estimate.count : null;
  useEffect(() => onEstimate(count), [count, onEstimate]);

  const found = asked === '' ? [] : [...(estimate?.userErrors ?? []), ...(isKnown ? faults : [])];
  return (
    <Stack gap="xs">
      <CodeEditor
        label={t('new.filter')}
        description={t('new.filterHelp')}
        language="text"
        minHeight="5rem"
        placeholder={'plan = "pro" and lastSeenDays <= 30'}
        value={value}
        onChange={onChange}
        complete={(context) => complete(context, attributes, (type) => t(`type.${type}`))}
        faults={faultsIn(found)}
        error={found.map(({ message }) => message).join('\n') || undefined}
      />
      <div aria-live="polite">
        {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
        {asked !== '' && query.loading && !estimate && (
          <Loader size="xs" aria-label={t('estimate.counting')} />
        )}
        {isKnown && (
          <Alert color={estimate.count === 0 ? 'yellow' : 'brand'} p="xs">
            <Text size="sm" fw={600} className="numbers">
              {t('estimate.count', { count: estimate.count })}
            </Text>
            {estimate.sample.length > 0 && (
              <Group gap="xs">
                <Text size="sm">{t('estimate.sample')}</Text>
                {estimate.sample.map(({ id, userId }) =>
                  isAdmin ? (
                    <PersonLink key={id} userId={userId} />
                  ) : (
                    <Text key={id} size="sm">
                      {userId}
                    </Text>
                  ),
                )}
              </Group>
            )}
          </Alert>
        )}
      </div>
    </Stack>
  );
}

function complete(
  context: CompletionContext,
  attributes: readonly Attribute[],
  nameOf: (type: Attribute['type']) => string,
): CompletionResult | null {
  const word = context.matchBefore(/[A-Za-z_]\w*$/);
  const from = word?.from ?? context.pos;
  const before = context.state.sliceDoc(0, from);
  if (!word && !context.explicit && !/[\s(]$/.test(before)) return null;
  const options = wordsAfter(before, attributes).map(({ label, kind, type }) => ({
    label,
    type: { attribute: 'variable', operator: 'keyword', value: 'constant' }[kind],
    ...(type && { detail: nameOf(type) }),
    apply: label.endsWith('(') || label === '""' ? label : `${label} `,
  }));
  return options.length === 0 ? null : { from, options, validFor: /^\w*$/ };
}
