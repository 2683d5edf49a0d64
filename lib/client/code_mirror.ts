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
import { type Diagnostic, linter, lintGutter } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { nonce } from "./page/nonce.ts";

/** Settings of an editor. */
export interface EditorOptions {
  mode: "json" | "yaml" | "ini";
  /** The JSON that the field takes, and the message for any other. */
  takes?: { shape: "strings" | "object"; wrong: string };
  label: string;
  placeholder?: string;
  describedBy?: string;
  invalid?: boolean;
  readOnly?: boolean;
}

/**
 * Opens a code editor in `parent`, in place of `textarea`, whose text it keeps up to date. Focusing
 * the text area, for example by its label, focuses the editor. Reports what is wrong with the text
 * while someone types; "" if nothing is.
 */
export function openEditor(
  options: EditorOptions,
  textarea: HTMLTextAreaElement,
  parent: HTMLElement,
  report: (problem: string) => void,
): EditorView {
  const { value: doc, selectionStart: anchor, selectionEnd: head, offsetHeight } = textarea;
  const extensions = extensionsOf(options, textarea, report);
  const view = new EditorView({
    parent,
    state: EditorState.create({ doc, extensions, selection: { anchor, head } }),
  });
  // Keeps the height, so that nothing below it moves.
  view.dom.style.minHeight = `${offsetHeight}px`;
  if (document.activeElement === textarea) view.focus();
  textarea.classList.add("sr-only");
  textarea.tabIndex = -1;
  textarea.ariaHidden = "true";
  textarea.addEventListener("focus", () => view.focus());
  return view;
}

function extensionsOf(
  options: EditorOptions,
  textarea: HTMLTextAreaElement,
  report: (problem: string) => void,
): Extension[] {
  return [
    EditorView.cspNonce.of(nonce),
    lineNumbers(),
    history(),
    drawSelection(),
    bracketMatching(),
    EditorState.tabSize.of(2),
    indentUnit.of("  "),
    EditorState.readOnly.of(options.readOnly ?? false),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    syntaxHighlighting(HIGHLIGHT),
    languageOf(options, report),
    placeholder(options.placeholder ?? ""),
    EditorView.contentAttributes.of({
      // An editable element is focusable without it, but some tools look for the attribute.
      tabindex: "0",
      "aria-label": options.label,
      ...(options.describedBy ? { "aria-describedby": options.describedBy } : {}),
      ...(options.invalid ? { "aria-invalid": "true" } : {}),
    }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (!docChanged) return;
      textarea.value = state.doc.toString();
      textarea.dispatchEvent(new Event("input", { bubbles: true }));
    }),
    THEME,
  ];
}

function languageOf({ mode, takes }: EditorOptions, report: (problem: string) => void): Extension {
  switch (mode) {
    case "json":
      return [
        json(),
        lintGutter(),
        linter((view) => {
          const found = problemsOf(view, takes);
          report(found[0]?.message ?? "");
          return found;
        }),
      ];
    case "yaml":
      return yaml();
    case "ini":
      return StreamLanguage.define(properties);
  }
}

const parseJson = jsonParseLinter();

/** Returns where a text is not JSON, or all of it if it is other JSON than the field takes. */
function problemsOf(view: EditorView, takes: EditorOptions["takes"]): Diagnostic[] {
  const text = view.state.doc.toString();
  if (text.trim() === "") return [];
  const found = parseJson(view);
  if (!takes) return found;
  const { shape, wrong: message } = takes;
  if (found.length > 0) return found.map((one) => ({ ...one, message }));
  const value: unknown = JSON.parse(text);
  const fits = shape === "strings"
    ? Array.isArray(value) && value.every((item) => typeof item === "string")
    : typeof value === "object" && value !== null && !Array.isArray(value);
  return fits ? [] : [{ from: 0, to: text.length, severity: "error", message }];
}

/** Colors come from the theme's variables, so that the editor follows the theme of the page. */
const HIGHLIGHT = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.variableName)], color: "var(--code-name)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--code-value)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.heading, tags.meta], color: "var(--code-value)", fontWeight: "600" },
]);

const THEME = EditorView.theme({
  "&": { maxHeight: "24rem", fontSize: "0.875rem" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": {
    fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
    flex: "1",
    overflow: "auto",
  },
  ".cm-gutters": { background: "var(--sunken)", color: "var(--muted)", border: "none" },
  ".cm-placeholder": { color: "var(--muted)" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-selectionBackground": { background: "var(--accent_soft) !important" },
});
