/** A rendered message, as the API has it. What is absent is not shown. */
export interface PreviewContent {
  readonly title?: string | null | undefined;
  readonly subtitle?: string | null | undefined;
  readonly badge?: number | null | undefined;
  readonly subject?: string | null | undefined;
  readonly body: string;
  readonly htmlBody?: string | null | undefined;
  readonly imageUrl?: string | null | undefined;
  readonly actionUrl?: string | null | undefined;
}
