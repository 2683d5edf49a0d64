import { IconButton } from "./Button.tsx";

interface CopyButtonProps {
  label: string;
  /** Told once it is done. */
  copied: string;
  /** A text, the id of an element that has it, or an address that answers it. */
  what: { text: string } | { of: string } | { from: string };
}

/** Copies a text to the clipboard. Without a script it is not there: the text can be selected. */
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
