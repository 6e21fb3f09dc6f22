import type { VariableSchema } from '../domains/notifications/templates/render.js';

/** What one notification says in one language. */
export interface NotificationText {
  /** Push and in-app. */
  readonly title: string;
  readonly body: string;
  readonly sms: string;
  readonly subject: string;
  /** The paragraphs of the mail, and the words on its button. */
  readonly mail: readonly string[];
  readonly button: string;
}

/** A notification type of the notification document, with all that its templates share. */
export interface NotificationKind {
  readonly type: string;
  /** Begins the ids of its templates. */
  readonly slug: string;
  readonly variables: VariableSchema;
  readonly actionUrl: string;
  readonly imageUrl?: string;
  readonly texts: Readonly<{ en: NotificationText } & Partial<Record<'de' | 'pt', NotificationText>>>;
}
