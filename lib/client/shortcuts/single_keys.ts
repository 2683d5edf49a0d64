/** The link to the list of shortcuts; read from the page each time, since it may be switched. */
export const shortcutsLink = () => document.querySelector<HTMLAnchorElement>("a[data-shortcuts]");

/** Whether a pressed key alone may do something: nobody types, and they are not switched off. */
export function isSingleKey({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  const isHeld = ctrlKey || metaKey || altKey;
  return !isHeld && shortcutsLink()?.dataset.shortcuts !== "off" && !isTyping(target);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest("input, textarea, select, [contenteditable]:not([contenteditable=false])") !==
    null;
