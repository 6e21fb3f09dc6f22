import { Status } from '../../../common/ui/status.js';
import type { WebhookDeliveryStatus, WebhookRowFragment } from '../../../generated/graphql.js';
import { useTexts } from './texts.js';

type State = Pick<WebhookRowFragment, 'isActive' | 'disabledReason'>;

/** Whether events are sent, and whether somebody or a failure switched it off. */
export function WebhookState({ webhook: { isActive, disabledReason } }: { readonly webhook: State }) {
  const t = useTexts();
  const state = isActive ? 'active' : disabledReason ? 'disabled' : 'off';
  const tone = { active: 'good', disabled: 'bad', off: 'over' } as const;
  return (
    <span title={disabledReason ?? undefined}>
      <Status tone={tone[state]}>{t(`states.${state}`)}</Status>
    </span>
  );
}

const TONES = { DELIVERED: 'good', FAILED: 'bad', PENDING: 'busy' } as const;

export function AttemptState({ status }: { readonly status: WebhookDeliveryStatus }) {
  const t = useTexts();
  return <Status tone={TONES[status]}>{t(`statuses.${status}`)}</Status>;
}
