import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "@/components/ui/Button.tsx";
import type { CopyTexts } from "@/lib/client/page/copy.ts";
import { Flash } from "@/components/shell/Flash.tsx";

interface LivePageProps {
  texts: {
    /** The server did not answer. */
    unreachable: string;
    close: string;
    copy: CopyTexts;
    /** Before what was typed is lost: the question, and its answers. */
    discard: { question: string; about: string; yes: string; no: string };
  };
}

/**
 * Keeps a page alive with the HTML that its addresses give: what happens is merged into it, its
 * dialogs open over it, and what its marks say stays on it. It looks like nothing itself.
 */
export default function LivePage({ texts }: LivePageProps) {
  const [told, setTold] = useState("");
  const [isStarted, setStarted] = useState(false);

  useEffect(() => {
    const closing = new AbortController();
    const start = async () => {
      // Of use in browsers only: the server never loads it.
      const { startPage } = await import("../lib/client/page/start.ts");
      if (closing.signal.aborted) return;
      const reader = {
        tell: setTold,
        failure: flashOf("danger", texts),
        success: flashOf("success", texts),
        copyTexts: texts.copy,
      };
      startPage(reader, closing.signal);
      setStarted(true);
    };
    start();
    return () => closing.abort();
  }, []);

  return (
    <div id="live-page" data-island>
      <p class="sr-only" role="status">{told}</p>
      {isStarted && (
        <dialog id="discard" class="dialog dialog-small" aria-labelledby="discard-title">
          <h2 id="discard-title">{texts.discard.question}</h2>
          <p>{texts.discard.about}</p>
          <form method="dialog" class="form-buttons">
            <Button kind="quiet">{texts.discard.no}</Button>
            <Button kind="danger" value="discard">{texts.discard.yes}</Button>
          </form>
        </dialog>
      )}
    </div>
  );
}

/** What is told by a copy of it, in sight of who reads. */
function flashOf(kind: "danger" | "success", texts: LivePageProps["texts"]): Element {
  const place = document.createElement("div");
  const t = (key: string) => key === "actions.close" ? texts.close : texts.unreachable;
  render(<Flash ui={{ t }} flash={{ kind, key: "" }} />, place);
  return place.firstElementChild!;
}
