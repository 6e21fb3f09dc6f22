import { Text, Timeline } from '@mantine/core';
import { useLanguage } from '../../../common/i18n.js';
import { Time } from '../../../common/ui/time.js';
import type { DeliveryPanelQuery } from '../../../generated/graphql.js';
import { stepWords } from './step-words.js';
import { useTexts } from './texts.js';

type Delivery = NonNullable<DeliveryPanelQuery['delivery']>;

const COLORS: Readonly<Record<string, string>> = {
  SENT: 'blue',
  DELIVERED: 'teal',
  OPENED: 'teal',
  CLICKED: 'teal',
  FAILED: 'red',
  DLQ: 'red',
  RETRY: 'yellow',
  SCHEDULED: 'yellow',
};

/** Every step in order, with what was decided and why, in words. */
export function DeliveryTimeline({ delivery: { timeline } }: { readonly delivery: Delivery }) {
  const t = useTexts();
  const language = useLanguage();
  return (
    <Timeline bulletSize={14} lineWidth={2} active={timeline.length}>
      {timeline.map(({ event, at, detail }, index) => {
        const { title, lines } = stepWords(event, detail ?? {}, t, language);
        return (
          <Timeline.Item
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end
            key={index}
            color={COLORS[event] ?? 'gray'}
            title={title}
          >
            {lines.map((line) => (
              <Text size="sm" key={line} style={{ overflowWrap: 'anywhere' }}>
                {line}
              </Text>
            ))}
            <Text size="xs" c="dimmed">
              <Time at={at} />
            </Text>
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}
