import { useQuery } from '@apollo/client/react';
import { Anchor, Group, NativeSelect, TextInput } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { faultAt, type UserFault } from '../../../common/ui/act.js';
import { Page } from '../../../common/ui/page.js';
import { Failure, Loading } from '../../../common/ui/states.js';
import type { Channel } from '../../../generated/graphql.js';
import { useChannelChoices } from '../../channels.js';
import { TemplateDocument } from './documents.js';
import { draftOf, emptyDraft, type TemplateDraft, useKeptDraft } from './draft.js';
import { TemplateEditor } from './editor.js';
import { useTexts } from './texts.js';

/** A template of another type, channel or language; `?from=` begins with the texts of one that there is. */
export function NewTemplate() {
  const t = useTexts();
  const [params] = useSearchParams();
  const from = params.get('from') ?? '';
  const { data, error, refetch } = useQuery(TemplateDocument, {
    variables: { templateId: from },
    skip: from === '',
  });
  return (
    <Page
      title={t('new.title')}
      about={
        <Anchor component={Link} to="/templates" size="sm" underline="always">
          {t('edit.back')}
        </Anchor>
      }
    >
      {from !== '' && !data ? (
        error ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : (
          <Loading />
        )
      ) : (
        <Begun key={from} from={from} begin={data?.template ? draftOf(data.template) : emptyDraft} />
      )}
    </Page>
  );
}

function Begun({ from, begin }: { readonly from: string; readonly begin: TemplateDraft }) {
  const [kept, keep, forget] = useKeptDraft(`new ${from}`);
  const draft = kept?.draft ?? begin;
  const set = (changes: Partial<TemplateDraft>) => keep({ draft: { ...draft, ...changes }, newest: 0 });
  return (
    <TemplateEditor
      draft={draft}
      set={set}
      isChanged={kept !== null}
      discard={forget}
      head={(faults) => <Head draft={draft} set={set} faults={faults} />}
    />
  );
}

interface HeadProps {
  readonly draft: TemplateDraft;
  readonly set: (changes: Partial<TemplateDraft>) => void;
  readonly faults: readonly UserFault[];
}

function Head({ draft, set, faults }: HeadProps) {
  const t = useTexts();
  return (
    <Group align="flex-start" gap="sm">
      <TextInput
        label={t('list.type')}
        description={t('new.typeHelp')}
        required
        maxLength={64}
        w={260}
        value={draft.notificationType}
        error={faultAt(faults, 'notificationType')}
        onChange={(event) => set({ notificationType: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('list.channel')}
        description={t('new.channelHelp')}
        data={useChannelChoices()}
        value={draft.channel}
        error={faultAt(faults, 'channel')}
        onChange={(event) => set({ channel: event.currentTarget.value as Channel })}
      />
      <TextInput
        label={t('list.language')}
        description={t('new.languageHelp')}
        required
        w={140}
        value={draft.language}
        error={faultAt(faults, 'language')}
        onChange={(event) => set({ language: event.currentTarget.value.trim() })}
      />
    </Group>
  );
}
