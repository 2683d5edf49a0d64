import type { JSX } from "preact";

interface SearchFieldProps extends JSX.InputHTMLAttributes<HTMLInputElement> {
  name: string;
  /**
   * Describes what can be found. Read out, and shown in the empty field if there is no
   * `placeholder`.
   */
  label: string;
  maxLength: number;
}

/** A search field. Spell checking and autocompletion are off, because people search for names. */
export const SearchField = ({ label, ...rest }: SearchFieldProps) => (
  <input
    type="search"
    aria-label={label}
    placeholder={label}
    autocomplete="off"
    spellcheck={false}
    {...rest}
  />
);
