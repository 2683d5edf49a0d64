/** Returns the link to the list of shortcuts. Read each time, because the setting may change. */
export const shortcutsLink = () => document.querySelector<HTMLAnchorElement>("a[data-shortcuts]");

/**
 * Whether a single key is a shortcut. It is not while the user types, or if single keys are
 * disabled.
 */
export function isSingleKey({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  const isHeld = ctrlKey || metaKey || altKey;
  return !isHeld && shortcutsLink()?.dataset.shortcuts !== "off" && !isTyping(target);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest("input, textarea, select, [contenteditable]:not([contenteditable=false])") !==
    null;
