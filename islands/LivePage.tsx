import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { Button, IconButton } from "@/components/ui/Button.tsx";
import { DialogHead } from "@/components/ui/Dialog.tsx";
import type { Connection } from "@/lib/client/page/away.ts";
import type { CopyTexts } from "@/lib/client/page/copy.ts";
import { Flash } from "@/components/shell/Flash.tsx";
import { Icon } from "@/components/ui/Icon.tsx";
import { islandKey } from "@/lib/client/page/island_key.ts";
import { onceGone } from "@/lib/client/page/lifetime.ts";

interface LivePageProps {
  /** Address of the event stream for a page that names none. */
  events: string;
  texts: {
    /** Notices while the server stops, and while it is lost. */
    stopping: string;
    lost: string;
    /** Notice after the user has been signed out, and the link in it. */
    signedOut: string;
    signIn: string;
    /** Message when the server does not answer. */
    unreachable: string;
    close: string;
    copy: CopyTexts;
    /** Question and answers shown before typed text is discarded. */
    discard: { question: string; about: string; yes: string; no: string };
  };
}

/**
 * Keeps a page up to date with the HTML of its addresses. It merges events into the page, opens
 * dialogs over it, and follows links and forms in place as its attributes say. It has no appearance
 * of its own.
 */
export default function LivePage({ events, texts }: LivePageProps) {
  const root = useRef<HTMLDivElement>(null);
  const [announcement, setAnnouncement] = useState("");
  const [connection, setConnection] = useState<Connection>("open");
  const [isStarted, setStarted] = useState(false);

  useEffect(() => {
    const closing = new AbortController();
    const start = async () => {
      // For browsers only, so the server never loads it.
      const { startPage } = await import("../lib/client/page/start.ts");
      if (closing.signal.aborted) return;
      const reader = {
        announce: setAnnouncement,
        setConnection,
        events,
        failure: flashOf("danger", texts),
        success: flashOf("success", texts),
        copyTexts: texts.copy,
      };
      startPage(reader, closing.signal);
      setStarted(true);
    };
    start().catch(reportError);
    const forget = onceGone(root.current!, () => closing.abort());
    return () => {
      forget();
      closing.abort();
    };
  }, []);

  return (
    <div id="live-page" ref={root} data-island={islandKey([events, texts])}>
      <p class="sr-only" role="status">{announcement}</p>
      <div role="status">
        {(connection === "stopping" || connection === "lost") && (
          <Notice>{texts[connection]}</Notice>
        )}
        {connection === "signed_out" && (
          <Notice>
            {texts.signedOut} {/* This page, which the server answers with the way to sign in. */}
            <a href="">{texts.signIn}</a>
          </Notice>
        )}
      </div>
      {isStarted && (
        <dialog id="discard" class="dialog dialog-small" aria-labelledby="discard-title">
          <form method="dialog">
            <DialogHead id="discard" title={texts.discard.question} level={2}>
              <IconButton icon="close" label={texts.close} />
            </DialogHead>
            <p>{texts.discard.about}</p>
            <div class="form-buttons">
              <Button kind="quiet" autofocus>{texts.discard.no}</Button>
              <Button kind="danger" value="discard">{texts.discard.yes}</Button>
            </div>
          </form>
        </dialog>
      )}
    </div>
  );
}

/** Notice above everything else, including dialogs and full-screen elements. */
function Notice({ children }: { children: ReactNode }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current!.showPopover?.(), []);
  return (
    <div ref={notice} class="lost-server alert alert-warning" popover="manual">
      <Icon name="warning" class="mt-0.5" />
      <p>{children}</p>
    </div>
  );
}

/** Template of a flash message, which is cloned and shown where the user can see it. */
function flashOf(kind: "danger" | "success", texts: LivePageProps["texts"]): Element {
  const container = document.createElement("div");
  const t = (key: string) => key === "actions.close" ? texts.close : texts.unreachable;
  flushSync(() => createRoot(container).render(<Flash ui={{ t }} flash={{ kind, key: "" }} />));
  return container.firstElementChild!;
}
