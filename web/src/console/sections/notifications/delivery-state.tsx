import { Status } from '../../../common/ui/status.js';
import { useTexts } from './texts.js';
import { type DeliveryStatus, type RequestStatus, toneOf } from './words.js';

interface DeliveryStateProps {
  readonly delivery: {
    readonly status: DeliveryStatus;
    readonly suppression?: string | null;
    readonly lastError?: string | null;
  };
}

export function DeliveryState({ delivery: { status } }: DeliveryStateProps) {
  const t = useTexts();
  return <Status tone={toneOf[status]}>{t(`status.${status}`)}</Status>;
}

export function RequestState({ status }: { readonly status: RequestStatus }) {
  const t = useTexts();
  return <Status tone={toneOf[status]}>{t(`request.${status}`)}</Status>;
}
