import { Text, VisuallyHidden } from '@mantine/core';
import { useLanguage } from '../../common/i18n.js';
import { useReaderTexts } from '../texts.js';

interface CounterProps {
  readonly length: number;
  readonly most: number;
}

/** How many characters are left, from when it matters. */
export function Counter({ length, most }: CounterProps) {
  const t = useReaderTexts();
  const format = new Intl.NumberFormat(useLanguage());
  const left = most - length;
  return (
    <Text
      span
      size="xs"
      className="numbers"
      c={left < 0 ? 'var(--mantine-color-error)' : 'dimmed'}
      fw={left < 0 ? 700 : 400}
    >
      <span aria-hidden>
        {format.format(length)} / {format.format(most)}
      </span>
      <VisuallyHidden>{t('composer.left', { count: left })}</VisuallyHidden>
    </Text>
  );
}
