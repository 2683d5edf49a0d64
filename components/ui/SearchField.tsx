import type { JSX } from "preact";

interface SearchFieldProps extends JSX.InputHTMLAttributes<HTMLInputElement> {
  name: string;
  /** What it looks for: read out, and shown while it is empty where no `placeholder` is. */
  label: string;
  maxLength: number;
}

/** Where one types what to look for: names and words of one's own, which nothing corrects. */
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
