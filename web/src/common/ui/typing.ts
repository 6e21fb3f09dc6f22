/** What takes letters itself, or has keys of its own. */
const TAKES_KEYS =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]';

/** Whether a key is not for the page: it is typed into something. */
export const isTyping = ({ target }: { readonly target: EventTarget | null }): boolean =>
  target instanceof HTMLElement && target.closest(TAKES_KEYS) !== null;

/** Whether an event is of what is drawn within an element: those of a dialog that something in it has opened come there, too. */
export const isWithin = (event: {
  readonly target: EventTarget | null;
  readonly currentTarget: Node;
}): boolean => event.target instanceof Node && event.currentTarget.contains(event.target);

/** Keys with these are the browser's. */
export const hasModifier = (event: {
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}): boolean => event.altKey || event.ctrlKey || event.metaKey;
