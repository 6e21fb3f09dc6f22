import { useQuery } from '@apollo/client/react';
import { Alert, Autocomplete, Button, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts } from '../../../common/i18n.js';
import { useAct } from '../../../common/ui/act.js';
import { Empty, Loaded } from '../../../common/ui/states.js';
import type { PersonAttributesQuery, UserAttributeType } from '../../../generated/graphql.js';
import { readAttribute, writeAttribute } from './attribute-value.js';
import { useTexts } from './texts.js';

const attributesDocument = graphql(/* GraphQL */ `
  query PersonAttributes($userId: ID!) {
    attributesOfUser(userId: $userId)
    userAttributes {
      id
      name
      type
      isBuiltIn
      deletedAt
    }
  }
`);

const setDocument = graphql(/* GraphQL */ `
  mutation PersonSetAttributes($userId: ID!, $attributes: JSONObject!) {
    setUserAttributes(input: { users: [{ userId: $userId, attributes: $attributes }] }) {
      changed
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** What producers set of them, which segments ask for. */
export function Attributes({ userId }: { readonly userId: string }) {
  const query = useQuery(attributesDocument, { variables: { userId } });
  return (
    <Loaded query={query}>
      {(data) => <Values userId={userId} data={data} onChange={() => query.refetch()} />}
    </Loaded>
  );
}

interface ValuesProps {
  readonly userId: string;
  readonly data: PersonAttributesQuery;
  readonly onChange: () => Promise<unknown>;
}

function Values({ userId, data, onChange }: ValuesProps) {
  const t = useTexts();
  const types = new Map(
    data.userAttributes
      ?.filter(({ isBuiltIn, deletedAt }) => !isBuiltIn && !deletedAt)
      .map(({ name, type }) => [name, type]) ?? [],
  );
  const values = Object.entries(data.attributesOfUser ?? {}).sort(([a], [b]) => a.localeCompare(b));
  const remove = useAct(setDocument, { done: t('attributes.removed') });
  async function removeOne(name: string): Promise<void> {
    const { ok } = await remove.act({ userId, attributes: { [name]: null } });
    if (ok) await onChange();
  }
  return (
    <Stack>
      {values.length === 0 ? (
        <Empty title={t('attributes.none')}>{t('attributes.noneHelp')}</Empty>
      ) : (
        <Table maw={760}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('attributes.name')}</Table.Th>
              <Table.Th>{t('attributes.value')}</Table.Th>
              <Table.Th visibleFrom="xs">{t('attributes.type')}</Table.Th>
              <Table.Th w={110}>{t('attributes.actions')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {values.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={500}>
                  {name}
                </Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{writeAttribute(value)}</Table.Td>
                <Table.Td visibleFrom="xs">
                  <Text size="sm" c="dimmed">
                    {types.has(name) && t(`attributes.types.${types.get(name)!}`)}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={t('attributes.removeOf', { name })}
                    disabled={remove.isRunning}
                    onClick={() => void removeOne(name)}
                  >
                    {t('attributes.remove')}
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <SetForm userId={userId} types={types} onDone={onChange} />
    </Stack>
  );
}

const TYPES = ['STRING', 'NUMBER', 'BOOLEAN', 'DATETIME', 'STRINGS'] as const;

interface SetFormProps {
  readonly userId: string;
  readonly types: ReadonlyMap<string, UserAttributeType>;
  readonly onDone: () => Promise<unknown>;
}

function SetForm({ userId, types, onDone }: SetFormProps) {
  const t = useTexts();
  const c = useCommonTexts();
  const { act, isRunning, faults } = useAct(setDocument, { done: t('attributes.done') });
  const form = useForm({ initialValues: { name: '', type: 'STRING' as UserAttributeType, value: '' } });
  const type = types.get(form.values.name) ?? form.values.type;
  async function save({ name, value }: typeof form.values): Promise<void> {
    const read = readAttribute(value, type);
    if (read === undefined) return form.setFieldError('value', t(`attributes.malformed.${type}`));
    const { ok } = await act({ userId, attributes: { [name.trim()]: read } });
    if (!ok) return;
    // What was typed since is the next one.
    const now = form.getValues();
    if (now.name === name && now.value === value) form.reset();
    await onDone();
  }
  return (
    <form onSubmit={form.onSubmit((values) => void save(values))}>
      <Stack gap="xs" maw={760}>
        <Group align="flex-start" gap="sm">
          <Autocomplete
            label={t('attributes.name')}
            required
            maxLength={64}
            data={[...types.keys()]}
            {...form.getInputProps('name')}
          />
          <Select
            label={t('attributes.type')}
            allowDeselect={false}
            w={150}
            disabled={types.has(form.values.name)}
            data={TYPES.map((value) => ({ value, label: t(`attributes.types.${value}`) }))}
            {...form.getInputProps('type')}
            value={type}
          />
          <TextInput
            label={t('attributes.value')}
            placeholder={t(`attributes.example.${type}`)}
            required
            flex="1 1 12rem"
            {...form.getInputProps('value')}
          />
          <Button type="submit" variant="default" mt={25} loading={isRunning}>
            {c('act.save')}
          </Button>
        </Group>
        {faults.map(({ message }) => (
          <Alert key={message} color="red" role="alert">
            {message}
          </Alert>
        ))}
      </Stack>
    </form>
  );
}
