import { Paper, SimpleGrid, Stack, Title } from '@mantine/core';
import { Empty, Failure, Loading } from '../../../common/ui/states.js';
import { useActiveTemplates } from '../../active-templates.js';
import { ChannelPreview } from './channel-preview.js';
import { Composer } from './composer.js';
import { useDraft } from './draft.js';
import { siblingsOf } from './siblings.js';
import { TemplatePicker } from './template-picker.js';
import { useTexts } from './texts.js';
import { fieldsOf, readVariables } from './variables.js';
import { VariablesForm } from './variables-form.js';

/** A form made of what the template declares, and the message as it will look. */
export function TemplateSend() {
  const t = useTexts();
  const state = useDraft();
  const { templates, isComplete, error, retry } = useActiveTemplates();
  if (!isComplete && !templates.some(({ templateId }) => templateId === state.template))
    return error ? <Failure error={error} retry={retry} /> : <Loading />;

  const picked = templates.find(({ templateId }) => templateId === state.template);
  const siblings = siblingsOf(templates, state.template);
  const fields = fieldsOf(siblings);
  const { typed } = state.draft;
  const { variables, faulty } = readVariables(fields, typed);
  const isMissing = fields.some(({ name, isRequired }) => isRequired && variables[name] === undefined);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
      <Composer
        state={state}
        type={picked?.notificationType ?? ''}
        variables={variables}
        isReady={!isMissing && faulty.length === 0}
        picker={(faultOf) => (
          <TemplatePicker
            templates={templates}
            value={picked ? state.template : ''}
            onChange={state.setTemplate}
            error={
              state.template && !picked
                ? t('template.unknown', { id: state.template })
                : faultOf('templateId')
            }
          />
        )}
        form={(faultOf) =>
          picked && (
            <Stack gap="xs">
              <Title order={2}>{t('variables.title')}</Title>
              <VariablesForm
                fields={fields}
                typed={typed}
                onChange={(name, text) => state.change({ typed: { ...typed, [name]: text } })}
                faultOf={(name) => (faulty.includes(name) ? t('variables.faulty') : faultOf(name))}
              />
            </Stack>
          )
        }
      />
      {picked ? (
        <ChannelPreview
          key={picked.notificationType}
          templates={siblings}
          picked={picked}
          variables={variables}
        />
      ) : (
        <Paper withBorder p="md" style={{ alignSelf: 'start' }}>
          <Empty title={t('preview.none')}>{t('preview.noneHelp')}</Empty>
        </Paper>
      )}
    </SimpleGrid>
  );
}
