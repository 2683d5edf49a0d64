import { useEffect, useRef } from "preact/hooks";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  HighlightStyle,
  indentUnit,
  StreamLanguage,
  syntaxHighlighting,
} from "@codemirror/language";
import { properties } from "@codemirror/legacy-modes/mode/properties";
import { linter, lintGutter } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export interface CodeEditorProps {
  id: string;
  name: string;
  value: string;
  mode: "json" | "yaml" | "ini";
  label: string;
  rows?: number;
  placeholder?: string;
  describedBy?: string;
  invalid?: boolean;
  readOnly?: boolean;
}

/**
 * A text area that becomes a code editor. The text area stays in the form and holds the text, so
 * that the form works the same without JavaScript. Tab moves on to the next field, as anywhere.
 */
export default function CodeEditor(props: CodeEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const textarea = area.current!;
    const view = new EditorView({
      parent: place.current!,
      state: EditorState.create({ doc: textarea.value, extensions: extensionsOf(props, textarea) }),
    });
    textarea.hidden = true;
    textarea.required = false; // The browser cannot point at a hidden field; the server tells.
    return () => view.destroy();
  }, []);

  return (
    <div class="code-editor">
      <textarea
        ref={area}
        id={props.id}
        name={props.name}
        class="input input-code"
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

function extensionsOf(props: CodeEditorProps, textarea: HTMLTextAreaElement): Extension[] {
  const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
  return [
    EditorView.cspNonce.of(nonce),
    lineNumbers(),
    history(),
    drawSelection(),
    bracketMatching(),
    EditorState.tabSize.of(2),
    indentUnit.of("  "),
    EditorState.readOnly.of(props.readOnly ?? false),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    syntaxHighlighting(HIGHLIGHT),
    languageOf(props.mode),
    placeholder(props.placeholder ?? ""),
    EditorView.contentAttributes.of({
      "aria-label": props.label,
      ...(props.describedBy ? { "aria-describedby": props.describedBy } : {}),
      ...(props.invalid ? { "aria-invalid": "true" } : {}),
    }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) textarea.value = state.doc.toString();
    }),
    THEME,
  ];
}

function languageOf(mode: CodeEditorProps["mode"]): Extension {
  switch (mode) {
    case "json":
      return [json(), lintGutter(), linter(jsonUnlessBlank)];
    case "yaml":
      return yaml();
    case "ini":
      return StreamLanguage.define(properties);
  }
}

const parseJson = jsonParseLinter();
const jsonUnlessBlank = (view: EditorView) =>
  view.state.doc.toString().trim() === "" ? [] : parseJson(view);

/** Colours come from the theme's variables, so that the editor is dark when the page is. */
const HIGHLIGHT = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.variableName)], color: "var(--code-name)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--code-value)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.heading, tags.meta], color: "var(--code-value)", fontWeight: "600" },
]);

const THEME = EditorView.theme({
  "&": { maxHeight: "24rem", fontSize: "0.875rem" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", overflow: "auto", minHeight: "7rem" },
  ".cm-gutters": { background: "var(--surface-2)", color: "var(--text-muted)", border: "none" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-selectionBackground": { background: "var(--selection) !important" },
});
