import { useEffect, useState } from "preact/hooks";
import { Flash } from "@/components/shell/Flash.tsx";
import { IconButton } from "@/components/ui/Button.tsx";

interface CopyButtonProps {
  /** What is copied, the element whose text it is, or what asks for it then: for islands that show the button. */
  text: string | { of: string } | (() => Promise<string>);
  /** Where the page around it is merged: it stays by this. */
  id?: string;
  label: string;
  texts: {
    copied: string;
    /** "{{message}}" is filled in here. */
    failed: string;
    /** The message where the browser has no clipboard for this page. */
    unavailable: string;
    close: string;
  };
}

/** Copies a text to the clipboard. Without a script it is not there: the text can be selected. */
export default function CopyButton({ text, id, label, texts }: CopyButtonProps) {
  const [isReady, setReady] = useState(false);
  const [told, setTold] = useState<{ sentence: string; ok: boolean; count: number }>();

  useEffect(() => setReady(true), []);

  const tell = (sentence: string, ok: boolean) =>
    setTold((before) => ({ sentence, ok, count: (before?.count ?? 0) + 1 }));

  async function copy() {
    try {
      // Browsers have one only on pages that came over https, or from the same machine.
      if (!navigator.clipboard) throw new Error(texts.unavailable);
      // Begun at once: some browsers copy only while they handle the press of a button.
      const content = typeof text === "function" ? asBlob(text()) : textOf(text);
      await navigator.clipboard.write([new ClipboardItem({ "text/plain": content })]);
      tell(texts.copied, true);
    } catch (error) {
      tell(texts.failed.replace("{{message}}", (error as Error).message), false);
    }
  }

  return (
    <span id={id} data-island={id && true}>
      {isReady && <IconButton type="button" icon="copy" label={label} onClick={copy} />}
      {told && (
        <Flash
          key={told.count}
          ui={{ t: (key) => key === "actions.close" ? texts.close : told.sentence }}
          flash={{ kind: told.ok ? "success" : "danger", key: "" }}
        />
      )}
    </span>
  );
}

const textOf = (text: string | { of: string }): string =>
  typeof text === "string" ? text : document.getElementById(text.of)?.textContent ?? "";

const asBlob = async (text: Promise<string>) => new Blob([await text], { type: "text/plain" });
