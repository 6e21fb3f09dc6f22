import type { ProviderMessage, RenderedContent } from './provider.js';

/**
 * Under which name a device shows a message: the next one under it replaces it. Of all messages of a group it is the same; else of the
 * repeats of a delivery, so that a repeated call is seen once.
 */
export const collapseKeyOf = ({ deliveryId, content }: ProviderMessage): string =>
  content.group?.id ?? deliveryId;

/** Whether it stands for others that were not sent for its sake. */
export const sumsUpOthers = ({ group }: RenderedContent): boolean => (group?.count ?? 1) > 1;

/** Whether it replaces what is shown of its group, for which nobody needs to look up. */
export const isQuietUpdate = ({ content }: ProviderMessage): boolean => (content.group?.revision ?? 1) > 1;
