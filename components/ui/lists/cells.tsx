import type { ComponentChildren } from "preact";
import { visible } from "../../../lib/i18n/visible.ts";
import type { Ui } from "../../../lib/i18n/ui.ts";

/** Shown if a value is missing. Cards omit such cells. */
export const Dash = ({ id }: { id?: string }) => <span id={id} class="dash text-muted">—</span>;

/** A text of any length: cut to one line, and shown in full on hover. */
export const Name = ({ text }: { text: string | null | undefined }) =>
  text
    ? (
      <span class="clamp parts" title={text}>
        <Breakable text={text} />
      </span>
    )
    : <Dash />;

export interface NameLinkProps {
  text: string;
  /** A complete address. */
  href: string;
  id?: string;
  /** Whether it opens over the page. */
  over?: boolean;
  /** How the page's script stays on the page: see docs/development.md. */
  stay?: true | "push";
}

/** A name that leads to a page: like `Name`. It is bold if it leads a row. */
export const NameLink = ({ text, href, id, over, stay }: NameLinkProps) => (
  <a
    id={id}
    class="name-link clamp parts"
    title={text}
    href={href}
    aria-current={stay && "false"}
    data-over={over || undefined}
    data-stay={stay}
  >
    <Breakable text={text} />
  </a>
);

/** A path or another name that programs use: like `Name`. */
export const Code = ({ text }: { text: string | null | undefined }) =>
  text
    ? (
      <code class="clamp parts" title={text}>
        <Breakable text={visible(text)} />
      </code>
    )
    : <Dash />;

/** A word of at most this many characters stays whole, and so does a part of a longer word. */
export const WHOLE_MAX = 16;

/**
 * A text whose long words, such as paths and e-mail addresses, break after a separator. A part that
 * is too long breaks anywhere. Browsers would make a column narrower than any word before it uses
 * the room beside it. The style rules are those of the class `parts`. Returns no fragment, for the
 * reason given at `Highlighted`.
 */
export const Breakable = ({ text }: { text: string }): ComponentChildren =>
  text.split(/(\s+)/).map((word) => word.length > WHOLE_MAX ? partsOf(word) : word);

const partsOf = (word: string) =>
  word.split(/(?<=[/\\_.:@])/).map((part, n) => (
    <>
      {n > 0 && <wbr />}
      {part.length > WHOLE_MAX ? <span class="part">{part}</span> : part}
    </>
  ));

/** A number, or a dash for none. */
export const Count = ({ ui, count }: { ui: Ui; count: number }) =>
  count === 0 ? <Dash /> : <span>{ui.number(count)}</span>;
