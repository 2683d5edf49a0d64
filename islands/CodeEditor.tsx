import { useEffect, useRef } from "preact/hooks";
import type { EditorOptions } from "../components/editor/code_mirror.ts";

export interface CodeEditorProps extends EditorOptions {
  id: string;
  name: string;
  value: string;
  rows?: number;
}

/**
 * A text area that becomes a code editor. The text area stays in the form and holds the text, so
 * that the form works the same without JavaScript. Tab moves on to the next field, as anywhere.
 */
export default function CodeEditor(props: CodeEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let close: (() => void) | null = () => {};
    const open = async () => {
      // Large, and of use in browsers only: the server never loads it.
      const { openEditor } = await import("../components/editor/code_mirror.ts");
      if (!close) return;
      const textarea = area.current!;
      const view = openEditor(props, textarea, place.current!);
      close = () => view.destroy();
      textarea.hidden = true;
      textarea.required = false; // The browser cannot point at a hidden field; the server tells.
    };
    open();
    return () => {
      close?.();
      close = null;
    };
  }, []);

  return (
    <div class="code-editor">
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
        spellcheck={false}
        autocapitalize="off"
      >
        {props.value}
      </textarea>
      <div ref={place} />
    </div>
  );
}
