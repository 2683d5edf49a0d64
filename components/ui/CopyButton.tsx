import { IconButton } from "./Button.tsx";

interface CopyButtonProps {
  label: string;
  /** Message shown after copying. */
  copied: string;
  /** A text, the id of an element that contains it, or an address that returns it. */
  what: { text: string } | { of: string } | { from: string };
}

/** Copies a text to the clipboard. Hidden without a script, because the text can be selected. */
export const CopyButton = ({ label, copied, what }: CopyButtonProps) => (
  <IconButton
    type="button"
    icon="copy"
    label={label}
    class="copy-button"
    data-copied={copied}
    {..."text" in what
      ? { "data-copy": what.text }
      : "of" in what
      ? { "data-copy-of": what.of }
      : { "data-copy-from": what.from }}
  />
);
