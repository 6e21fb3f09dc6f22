import type { Language } from '../../../common/i18n.js';
import type { useTexts } from './texts.js';

type Translate = ReturnType<typeof useTexts>;
type Detail = Readonly<Record<string, unknown>>;

export interface StepWords {
  readonly title: string;
  /** Reasons and facts, one a line. */
  readonly lines: readonly string[];
}

/** What a step of a timeline means: its detail has the facts by name, here they are a sentence. */
export function stepWords(event: string, detail: Detail, t: Translate, language: Language): StepWords {
  const lines = describe(event, detail, t, language).filter((line) => line !== '');
  const takenOver = detail.taken_over === true ? [t('detail.takenOver')] : [];
  return { title: t.known(`step.${event}`) ?? event, lines: [...lines, ...takenOver] };
}

function describe(event: string, detail: Detail, t: Translate, language: Language): readonly string[] {
  switch (event) {
    case 'SCHEDULED':
      return [putOff(detail, t, language)];
    case 'SUPPRESSED':
    case 'EXPIRED':
    case 'CANCELLED':
      return leftOut(detail, t);
    case 'RENDERED':
      return text(detail.templateId) ? [t('detail.rendered', detail)] : [];
    case 'QUEUED':
      return text(detail.retried_by) ? [t('detail.retriedBy', { user: detail.retried_by })] : [];
    case 'SENT':
      return sent(detail, t);
    case 'FAILED':
      return failed(detail, t);
    case 'RETRY':
      return [
        t(detail.reason === 'GLOBAL_LIMIT' ? 'detail.globalLimit' : 'detail.retry', {
          attempt: Number(detail.attempt ?? 0) + 1,
          seconds: Number(detail.delay_seconds ?? 0),
        }),
      ];
    case 'DLQ':
      return [t('detail.gaveUp', { count: Number(detail.total_attempts ?? 0) }), text(detail.final_error)];
    default:
      return others(detail, t);
  }
}

function putOff(detail: Detail, t: Translate, language: Language): string {
  const at = text(detail.due_at);
  const zone = text(detail.timezone) || Intl.DateTimeFormat().resolvedOptions().timeZone;
  const until = at ? clock(new Date(at), zone, language) : '';
  const reason = text(detail.reason);
  if (reason === 'QUIET_HOURS') return t('detail.quietHours', { until });
  if (reason === 'GROUPED') return t('detail.grouped');
  if (reason) return t('detail.putOff', { until, reason });
  return t(detail.timezone ? 'detail.scheduledLocal' : 'detail.scheduled', { until });
}

/** `08:00 Asia/Kathmandu`, with its day where that is not today. */
export function clock(at: Date, timeZone: string, language: Language, now = new Date()): string {
  const day = new Intl.DateTimeFormat(language, { timeZone, dateStyle: 'medium' });
  const time = new Intl.DateTimeFormat(language, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);
  const isToday = day.format(at) === day.format(now);
  return `${isToday ? '' : `${day.format(at)}, `}${time} ${timeZone}`;
}

function leftOut({ reason, detail, summarized_by }: Detail, t: Translate): readonly string[] {
  const code = text(reason);
  if (!code) return [];
  const more = text(detail) || text(summarized_by);
  return [t.known(`suppression.${code}`) ?? code, more];
}

function sent({ targets, provider, asked_before }: Detail, t: Translate): readonly string[] {
  return [
    typeof targets === 'number' && targets > 1 ? t('detail.targets', { count: targets }) : '',
    text(provider) ? t('detail.provider', { provider }) : '',
    text(asked_before) ? t('detail.askedBefore', { providers: asked_before }) : '',
  ];
}

function failed(detail: Detail, t: Translate): readonly string[] {
  const { code, reason, status, target, outcome_unknown, provider } = detail;
  const words = t.known(`cause.${text(code)}`);
  return [
    `${text(code)}${words === undefined ? '' : `: ${words}`}`,
    text(reason) ? t('detail.said', { reason, status: status === undefined ? '' : ` (${status})` }) : '',
    /^(email|sms|in_app)?$/.test(text(target)) ? '' : t('detail.target', { target }),
    text(provider) ? t('detail.provider', { provider }) : '',
    outcome_unknown === true ? t('detail.unknown') : '',
  ];
}

const others = (detail: Detail, t: Translate): readonly string[] => [
  detail.suspected_bot === true ? t('detail.bot') : '',
  text(detail.url),
  text(detail.via) ? t('detail.via', { via: detail.via }) : '',
  text(detail.user_agent),
  text(detail.action_id) ? t('detail.action', { action: detail.action_id }) : '',
];

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
