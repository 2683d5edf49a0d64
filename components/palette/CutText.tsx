import { useLayoutEffect, useRef, useState } from "react";
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
  const [latest, setCut] = useState({ content, start: 0, width: 0 });
  const cut = latest.content === content && latest.start > 0 ? latest : null;
  useLayoutEffect(() => {
    const line = element.current!;
    const match = line.querySelector("mark");
    if (!match || line.scrollWidth <= line.clientWidth) return;
    const before = match.previousSibling?.textContent?.length ?? 0;
    // Letters differ in width, and ellipses need room, too.
    const fitting = Math.floor(0.85 * shown.length * line.clientWidth / line.scrollWidth);
    const end = before + match.textContent!.length + AFTER;
    const start = Math.min(before, end - fitting);
    setCut({ content, start, width: line.clientWidth });
  }, [content]);
  if (!cut) {
    return (
      <span ref={element} class={classes} title={shown}>
        <Highlighted text={shown} found={found} />
      </span>
    );
  }
  // A shorter text would get less room.
  return (
    <span ref={element} class={classes} title={shown} style={{ flex: "none", width: cut.width }}>
      <span class="sr-only">{shown}</span>
      <span aria-hidden="true">
        …<Highlighted text={shown.slice(cut.start).trimStart()} found={found} />
      </span>
    </span>
  );
}
