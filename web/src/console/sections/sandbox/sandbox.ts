import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useErrorText } from '../../../common/errors.js';
import { useCommonTexts } from '../../../common/i18n.js';

/** A message that a stand-in provider took, as the sandbox lists it. */
export interface ReceivedMessage {
  readonly id: number;
  readonly channel: string;
  readonly provider: string;
  readonly to: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly notificationId?: string;
  readonly deliveryId?: string;
  readonly providerId: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A fault that a channel, or one provider of it, shows on purpose. */
export interface Fault {
  readonly channel: string;
  readonly provider?: string;
  readonly status?: number;
  readonly reason?: string;
  readonly retryAfter?: number;
  readonly latencyMs?: number;
  readonly hang?: boolean;
  readonly drop?: boolean;
  readonly goaway?: boolean;
  readonly outcome?: string;
  readonly rate?: number;
  readonly times?: number;
}

const EVERY_MS = 2_000;

/** Something of the sandbox, asked for again every two seconds while the page is seen. */
export function useSandbox<T>(url: string) {
  const [state, setState] = useState<{ readonly data?: T; readonly error?: unknown }>({});
  const latest = useRef(url);
  const refetch = useCallback(async () => {
    // An answer to what was asked before is not shown.
    const show = (next: { readonly data?: T; readonly error?: unknown }) =>
      latest.current === url && setState((before) => ({ ...before, ...next }));
    try {
      show({ data: (await ask(url)) as T, error: undefined });
    } catch (error) {
      show({ error });
    }
  }, [url]);
  useEffect(() => {
    latest.current = url;
    void refetch();
    const timer = setInterval(() => document.visibilityState === 'visible' && void refetch(), EVERY_MS);
    return () => clearInterval(timer);
  }, [url, refetch]);
  return { ...state, refetch };
}

/** A change of the sandbox, as a button makes it. */
export function useSandboxAct() {
  const t = useCommonTexts();
  const errorText = useErrorText();
  const [isRunning, setRunning] = useState(false);
  async function act(method: 'PUT' | 'DELETE', url: string, body: unknown, done: string): Promise<boolean> {
    setRunning(true);
    try {
      await ask(url, {
        method,
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      });
      notifications.show({ message: done, color: 'teal' });
      return true;
    } catch (error) {
      notifications.show({
        title: t('act.failed'),
        message: errorText(error).message,
        color: 'red',
      });
      return false;
    } finally {
      setRunning(false);
    }
  }
  return { act, isRunning };
}

async function ask(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, init);
  if (response.status === 204) return undefined;
  const answer = (await response.json()) as { error?: { message?: string } };
  if (!response.ok) throw new Error(answer.error?.message ?? `HTTP ${response.status}`);
  return answer;
}
