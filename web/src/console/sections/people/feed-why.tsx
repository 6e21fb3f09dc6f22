import { Button, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLanguage } from '../../../common/i18n.js';
import type { FeedSource } from '../../../generated/graphql.js';
import { type ExplainedTerm, explain } from './score-terms.js';
import { useTexts } from './texts.js';

interface FeedWhyProps {
  readonly why: {
    readonly source: FeedSource;
    readonly score: number;
    readonly terms: readonly { readonly name: string; readonly value: number; readonly weight: number }[];
  };
  readonly isRanked: boolean;
}

/** Why a post is in the feed, and which parts its score has, the largest first. */
export function FeedWhy({ why, isRanked }: FeedWhyProps) {
  const t = useTexts();
  const score = useScore();
  const terms = explain(why.terms);
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <Stack gap={4} mt="xs">
      <Text size="sm">
        <Text span fw={600} size="sm">
          {t('why.title')}
        </Text>{' '}
        {t(`why.sources.${why.source}`)}
        {isRanked && ` ${t('why.score', { score: score(why.score) })}`}
      </Text>
      {isRanked && terms.length > 0 && (
        <div>
          <Button
            variant="transparent"
            size="compact-sm"
            px={0}
            c="var(--mantine-color-anchor)"
            aria-expanded={isOpen}
            onClick={toggle}
          >
            {t(isOpen ? 'why.hide' : 'why.show')}
          </Button>
          {isOpen && <Terms terms={terms} />}
        </div>
      )}
    </Stack>
  );
}

function Terms({ terms }: { readonly terms: readonly ExplainedTerm[] }) {
  const t = useTexts();
  const score = useScore();
  return (
    <Table withRowBorders={false} verticalSpacing={3} mb="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('why.term')}</Table.Th>
          <Table.Th ta="right">{t('why.share')}</Table.Th>
          <Table.Th ta="right" visibleFrom="xs">
            {t('why.product')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {terms.map(({ name, known, share, value, weight }) => (
          <Table.Tr key={name}>
            <Table.Td>{known ? t(`why.terms.${known}`) : name}</Table.Td>
            <Table.Td ta="right" className="numbers">
              {share > 0 ? '+' : ''}
              {score(share)}
            </Table.Td>
            <Table.Td ta="right" className="numbers" visibleFrom="xs">
              {score(weight)} × {score(value)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Terms differ in the third decimal place. */
function useScore() {
  const language = useLanguage();
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 3 });
  return (value: number): string => format.format(value);
}
