import type { TemplateSyntax, VariableSchema } from '../domains/notifications/templates/render.js';

/** What one notification says in one language. */
export interface NotificationText {
  /** Push and in-app. */
  readonly title: string;
  readonly body: string;
  readonly sms: string;
  readonly subject: string;
  /** The paragraphs of the mail, and the words on its button. */
  readonly mail: readonly string[];
  /** Of the mail without HTML alone, what follows them. */
  readonly lines?: string;
  /** HTML of the mail that follows them. */
  readonly list?: string;
  readonly button: string;
}

/** A notification type of the notification document, with all that its templates share. */
export interface NotificationKind {
  readonly type: string;
  readonly variables: VariableSchema;
  /** Absent: its texts have placeholders alone. */
  readonly syntax?: TemplateSyntax;
  readonly actionUrl: string;
  readonly imageUrl?: string;
  readonly texts: Readonly<{ en: NotificationText } & Partial<Record<'de' | 'pt', NotificationText>>>;
}

/** Variables that every request has to give, and those that may be absent. */
export const text = { type: 'string', required: true } as const;
export const number = { type: 'number', required: true } as const;
export const optional = (value: string | number) =>
  ({ type: typeof value === 'number' ? 'number' : 'string', required: false, default: value }) as const;

export const APP = 'https://app.example.com';
