import { ActionIcon, Box, Popover, Stack, Text } from '@mantine/core';
import { CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { useLanguage } from '../../common/i18n.js';
import type { FeedEdge } from '../feed/use-feed.js';
import { useReaderTexts } from '../texts.js';
import classes from './why.module.css';

const KNOWN = [
  'like',
  'comment',
  'share',
  'click',
  'hide',
  'affinity',
  'recency',
  'quality',
  'negative',
  'freshness',
  'diversity',
  'mix',
] as const;
const isKnown = (name: string): name is (typeof KNOWN)[number] => KNOWN.some((known) => known === name);

/** Less than this of a score is not worth a line. */
const LEAST = 0.005;

/** Why a post is in the feed and why in this place: how it came, and what counted for and against it. */
export function Why({ why }: { readonly why: FeedEdge['why'] }) {
  const t = useReaderTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width={320}
      position="bottom-end"
      shadow="md"
      radius="lg"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          radius="xl"
          size={36}
          c="dimmed"
          aria-label={t('why.open')}
          onClick={() => setOpen((open) => !open)}
        >
          <CircleHelp size={18} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('why.open')}>{isOpen && <Reasons why={why} />}</Popover.Dropdown>
    </Popover>
  );
}

function Reasons({ why: { source, score, terms } }: { readonly why: FeedEdge['why'] }) {
  const t = useReaderTexts();
  const format = new Intl.NumberFormat(useLanguage(), {
    signDisplay: 'exceptZero',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const parts = terms
    .map(({ name, weight, value }) => ({ name, amount: weight * value }))
    .filter(({ amount }) => Math.abs(amount) >= LEAST)
    .sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
  const most = Math.max(...parts.map(({ amount }) => Math.abs(amount)), LEAST);
  return (
    <Stack gap="xs" data-testid="why">
      <Text fw={650}>{t('why.open')}</Text>
      <Text size="sm">{t(`why.source.${source}`)}</Text>
      {parts.length > 0 && (
        <Box>
          <Text size="xs" c="dimmed" mb={4}>
            {t('why.score', { score: format.format(score) })}
          </Text>
          {parts.map(({ name, amount }) => (
            <div key={name} className={classes.term}>
              <Text size="sm" lh={1.3}>
                {isKnown(name) ? t(`why.term.${name}`) : name}
              </Text>
              <div>
                <div
                  className={classes.bar}
                  data-minus={amount < 0 ? true : undefined}
                  style={{ width: `${Math.max(4, (Math.abs(amount) / most) * 100)}%` }}
                />
              </div>
              <Text size="xs" ta="right" className="numbers">
                {format.format(amount)}
              </Text>
            </div>
          ))}
        </Box>
      )}
    </Stack>
  );
}
