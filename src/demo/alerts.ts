import { HOUR, MINUTE } from './rhythm.js';

export type DemoAlert = ReturnType<typeof makeAlerts>[number];

const idOf = (n: number): string => `0199f000-0000-7000-9000-${String(n).padStart(12, '0')}`;

/**
 * One alert that nobody has attended to, about the webhook that was disabled, and two of yesterday that are over.
 *
 * @param webhook the disabled one
 */
export function makeAlerts(
  webhook: { readonly webhookId: string; readonly disabledReason: string | null },
  now: number,
) {
  const ago = (ms: number): Date => new Date(now - ms);
  return [
    {
      ...{ alertId: idOf(1), name: 'delivery_success_rate', scope: 'sms', severity: 'CRITICAL' },
      message: "No attempt to deliver by sms succeeded in a minute; 38 failed, 212 users' messages wait",
      ...{ value: 0, threshold: 0.95, raisedAt: ago(27 * HOUR), resolvedAt: ago(27 * HOUR - 14 * MINUTE) },
    },
    {
      ...{ alertId: idOf(2), name: 'dead_letter_failure_rate', scope: 'sms', severity: 'CRITICAL' },
      message: '7.8 % of sms deliveries were given up in 5 minutes: 17 of 218',
      ...{ value: 0.078, threshold: 0.05, raisedAt: ago(26 * HOUR), resolvedAt: ago(26 * HOUR - 9 * MINUTE) },
    },
    {
      ...{ alertId: idOf(3), name: 'webhook_disabled', scope: webhook.webhookId, severity: 'WARNING' },
      message: `Webhook ${webhook.webhookId} was disabled: ${webhook.disabledReason}`,
      ...{ value: 72, threshold: 72, raisedAt: ago(24 * HOUR), resolvedAt: null },
    },
  ];
}
