import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { visible } from "../../lib/i18n/visible.ts";
import { Highlighted } from "../ui/Highlighted.tsx";

/** Number of characters after the match, if the start of the text is cut off. */
const AFTER = 3;

interface CutTextProps {
  text: string;
  /** The typed text. */
  found: string;
  class: string;
}

/**
 * A text on one line with the match highlighted. Where the match does not fit, the start of the
 * text is cut off instead of the end.
 */
export function CutText({ text, found, class: classes }: CutTextProps) {
  const shown = visible(text);
  const element = useRef<HTMLSpanElement>(null);
  const content = `${text}\n${found}`;
  const [cut, setCut] = useState({ content, start: 0 });
  const start = cut.content === content ? cut.start : 0;
  useLayoutEffect(() => {
    const line = element.current!;
    const match = line.querySelector("mark");
    if (!match || line.scrollWidth <= line.clientWidth) return;
    const before = match.previousSibling?.textContent?.length ?? 0;
    // Letters differ in width, and ellipses need room, too.
    const fitting = Math.floor(0.85 * shown.length * line.clientWidth / line.scrollWidth);
    const end = before + match.textContent!.length + AFTER;
    if (end > fitting) setCut({ content, start: Math.min(before, end - fitting) });
  }, [content]);
  if (start === 0) {
    return (
      <span ref={element} class={classes} title={shown}>
        <Highlighted text={shown} found={found} />
      </span>
    );
  }
  return (
    <span ref={element} class={classes} title={shown}>
      <span class="sr-only">{shown}</span>
      <span aria-hidden="true">
        …<Highlighted text={shown.slice(start).trimStart()} found={found} />
      </span>
    </span>
  );
}
