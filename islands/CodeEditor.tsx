import { useEffect, useRef, useState } from "react";
import type { EditorOptions } from "../lib/client/code_mirror.ts";
import { islandKey } from "../lib/client/page/island_key.ts";
import { onceGone } from "../lib/client/page/lifetime.ts";

export interface CodeEditorProps extends EditorOptions {
  id: string;
  name: string;
  value: string;
  rows?: number;
  autofocus?: boolean;
}

/**
 * A text area that becomes a code editor once it is used. The text area stays in the form and holds
 * the text, so that the form also works without JavaScript. Tab moves on to the next field, as
 * everywhere.
 */
export default function CodeEditor(props: CodeEditorProps) {
  const root = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState("");

  useEffect(() => {
    const textarea = area.current!;
    let close = () => {};
    const open = async () => {
      // Large and for browsers only, so it is loaded when someone is about to type.
      const { openEditor } = await import("../lib/client/code_mirror.ts");
      if (!textarea.isConnected) return;
      const view = openEditor(props, textarea, root.current!, setProblem);
      close = () => view.destroy();
    };
    // Without its script, the text area stays as it is.
    textarea.addEventListener("focus", () => open().catch(reportError), { once: true });
    if (document.activeElement === textarea) textarea.dispatchEvent(new Event("focus"));
    const forget = onceGone(root.current!, () => close());
    return () => {
      forget();
      close();
    };
  }, []);

  return (
    <div
      ref={root}
      id={`${props.id}-editor`}
      class="code-editor"
      data-island={islandKey({ ...props, value: undefined })}
    >
      <textarea
        ref={area}
        id={props.id}
        name={props.name}
        class="code"
        rows={props.rows ?? 8}
        placeholder={props.placeholder}
        aria-describedby={props.describedBy}
        aria-invalid={props.invalid || undefined}
        readOnly={props.readOnly}
        autofocus={props.autofocus}
        spellcheck={false}
        autocapitalize="off"
      >
        {props.value}
      </textarea>
      {/* The answer to a form says it outside of the island. */}
      {props.takes && !props.invalid && (
        <p class={problem && "field-error"} role="status">{problem}</p>
      )}
    </div>
  );
}
