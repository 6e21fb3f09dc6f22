import { Status } from '../../../common/ui/status.js';
import type { SuppressionCause } from '../../../generated/graphql.js';
import { useTexts } from './texts.js';

const TONES: Readonly<Record<SuppressionCause, 'bad' | 'waits' | 'over'>> = {
  HARD_BOUNCE: 'bad',
  SOFT_BOUNCES: 'waits',
  COMPLAINT: 'bad',
  STOP: 'waits',
  MANUAL: 'over',
};

/** Why nothing is sent to an address, as a word; the sentence stands where the pointer rests. */
export function Cause({ cause }: { readonly cause: SuppressionCause }) {
  const t = useTexts();
  return (
    <span title={t(`about_cause.${cause}`)}>
      <Status tone={TONES[cause]}>{t(`causes.${cause}`)}</Status>
    </span>
  );
}
