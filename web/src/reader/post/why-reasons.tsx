import { Box, Popover, Stack, Text } from '@mantine/core';
import { useLanguage } from '../../common/i18n.js';
import { useOpened } from '../../common/ui/opens-later.js';
import type { FeedEdge } from '../feed/use-feed.js';
import { useReaderTexts } from '../texts.js';
import { WhyButton } from './why.js';
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
  'unscored',
] as const;
const isKnown = (name: string): name is (typeof KNOWN)[number] => KNOWN.some((known) => known === name);

/** Less than this of a score is not worth a line. */
const LEAST = 0.005;

/** How a post came into the feed, and what counted for and against it. */
export default function WhyReasons({ why }: { readonly why: FeedEdge['why'] }) {
  const t = useReaderTexts();
  const { opened, onChange, target } = useOpened();
  return (
    <Popover
      opened={opened}
      onChange={onChange}
      width={320}
      position="bottom-end"
      shadow="md"
      radius="lg"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <WhyButton ref={target} onClick={() => onChange(!opened)} />
      </Popover.Target>
      <Popover.Dropdown aria-label={t('why.open')}>{opened && <Reasons why={why} />}</Popover.Dropdown>
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
