import { useSessionStorage } from '@mantine/hooks';
import type {
  Channel,
  SaveTemplateInput,
  TemplateSyntax,
  TemplateTextFragment,
} from '../../../generated/graphql.js';
import { type TextField, textsOf } from './words.js';

export interface DraftVariable {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** As typed; empty: none. */
  readonly default: string;
}

/** A template as it is typed. */
export interface TemplateDraft {
  readonly notificationType: string;
  readonly channel: Channel;
  readonly language: string;
  readonly syntax: TemplateSyntax;
  readonly texts: Readonly<Record<TextField, string>>;
  readonly contentAvailable: boolean;
  readonly voip: boolean;
  readonly variables: readonly DraftVariable[];
}

const NO_TEXTS: TemplateDraft['texts'] = {
  title: '',
  subject: '',
  body: '',
  htmlBody: '',
  imageUrl: '',
  actionUrl: '',
  subtitle: '',
  badge: '',
  color: '',
};

export const emptyDraft: TemplateDraft = {
  notificationType: '',
  channel: 'PUSH',
  language: 'en',
  syntax: 'LIQUID',
  texts: NO_TEXTS,
  contentAvailable: false,
  voip: false,
  variables: [],
};

export function draftOf(template: TemplateTextFragment): TemplateDraft {
  const { notificationType, channel, language, syntax, pushOptions } = template;
  const texts = Object.fromEntries(
    Object.keys(NO_TEXTS).map((field) => {
      const own = template[field as keyof TemplateTextFragment];
      return [field, String(own ?? pushOptions?.[field as 'badge'] ?? '')];
    }),
  ) as TemplateDraft['texts'];
  return {
    notificationType,
    channel,
    language,
    syntax,
    texts,
    contentAvailable: pushOptions?.contentAvailable ?? false,
    voip: pushOptions?.voip ?? false,
    variables: Object.entries(template.variables).map(([name, declared]) => {
      const {
        type,
        required = false,
        default: byDefault,
      } = declared as {
        type: string;
        required?: boolean;
        default?: unknown;
      };
      return { name, type, required, default: byDefault === undefined ? '' : written(byDefault) };
    }),
  };
}

/** What the API takes: what the channel does not have is left out. */
export function inputOf(draft: TemplateDraft, activate: boolean): SaveTemplateInput {
  const { notificationType, channel, language, syntax, texts, contentAvailable, voip } = draft;
  const given = Object.fromEntries(
    textsOf(channel)
      .filter((field) => texts[field] !== '')
      .map((field) => [field, texts[field]]),
  ) as Partial<Record<TextField, string>>;
  const { subtitle, badge, color, ...own } = given;
  const pushOptions = {
    ...(subtitle && { subtitle }),
    ...(badge && { badge }),
    ...(color && { color }),
    ...(contentAvailable && { contentAvailable }),
    ...(voip && { voip }),
  };
  const hasOptions = channel === 'PUSH' && Object.keys(pushOptions).length > 0;
  return {
    notificationType: notificationType.trim(),
    channel,
    language: language.trim(),
    syntax,
    ...own,
    body: texts.body,
    ...(hasOptions && { pushOptions }),
    variables: Object.fromEntries(
      draft.variables
        .filter(({ name }) => name !== '')
        .map(({ name, type, required, default: byDefault }) => [
          name,
          { type, required, ...(byDefault !== '' && { default: typed(byDefault, type) }) },
        ]),
    ),
    activate,
  };
}

/** A text as a value of a type. What is none stays a text, and the API says what is wrong with it. */
export function typed(text: string, type: string): unknown {
  if (type === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const written = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** What was typed and from which version on; kept in this tab, so that a reload loses nothing. */
interface Kept {
  readonly draft: TemplateDraft;
  /** The newest version when the first letter was typed. */
  readonly newest: number;
}

const nameOf = (key: string): string => `tidings.template.${key}`;

/** Lets the page of a version begin with a draft. */
export const keepDraftFor = (templateId: string, kept: Kept): void =>
  sessionStorage.setItem(nameOf(templateId), JSON.stringify(kept));

export function useKeptDraft(key: string) {
  return useSessionStorage<Kept | null>({
    key: nameOf(key),
    defaultValue: null,
    getInitialValueInEffect: false,
  });
}
