import { useLazyQuery } from '@apollo/client/react';
import { TagsInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useSession } from '../../../common/session.js';
import { findRecipients } from './documents.js';
import { useTexts } from './texts.js';

interface RecipientsProps {
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  readonly error: string | undefined;
}

/** The API takes so many in one request. */
const MOST = 1_000;

/** User ids, typed, pasted with commas or spaces between them, or found by name. */
export function Recipients({ value, onChange, error }: RecipientsProps) {
  const t = useTexts();
  const canSearch = useSession()?.roles.includes('user') ?? false;
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), 200);
  const [find, { data }] = useLazyQuery(findRecipients);
  useEffect(() => {
    if (wanted && canSearch) find({ variables: { query: wanted } }).catch(() => undefined);
  }, [wanted, canSearch, find]);
  const names = new Map(
    (data?.searchUsers?.edges ?? []).map(({ node }) => [node.userId, node.displayName] as const),
  );
  return (
    <TagsInput
      label={t('recipients.label')}
      description={t('recipients.help')}
      required
      error={error}
      value={[...value]}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      data={[...names.keys()]}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span>
          {option.value} <small>{names.get(option.value)}</small>
        </span>
      )}
      splitChars={[',', ' ', ';', '\n']}
      maxTags={MOST}
      acceptValueOnBlur
      clearable
    />
  );
}
