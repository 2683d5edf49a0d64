/**
 * Calls `close` when the pointer is pressed and released beside the box of a dialog. A selection
 * that began inside, and the scroll bar of the dialog, do not count.
 */
export function followBackdrop(
  dialog: HTMLDialogElement,
  boxOf: () => Element | null,
  close: () => void,
): void {
  let isPressed = false;
  const isBeside = ({ target, clientX: x, clientY: y }: MouseEvent) => {
    const box = boxOf()?.getBoundingClientRect();
    if (target !== dialog || !box) return false;
    const isScrollBar = boxOf() !== dialog && x > dialog.clientWidth;
    const isInside = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    return !isScrollBar && !isInside;
  };
  dialog.addEventListener("pointerdown", (event) => void (isPressed = isBeside(event)));
  dialog.addEventListener("click", (event) => {
    if (isPressed && isBeside(event)) close();
    isPressed = false;
  });
}
