import CodeEditor, { type CodeEditorProps } from "../../islands/CodeEditor.tsx";
import { fieldAttributes, FieldFrame, type FieldProps } from "../ui/forms/Field.tsx";

type CodeFieldProps =
  & Omit<FieldProps, "autofocus" | "disabled">
  & Pick<CodeEditorProps, "mode" | "rows" | "placeholder">
  & {
    /** The JSON that the field takes. Any other is reported while someone types. */
    takes?: "strings" | "object";
  };

const WRONG = { strings: "errors.arguments_array", object: "errors.json_object" } as const;

/** A field for code: a text area, which becomes an editor if there is a script. */
export function CodeField({ mode, rows, placeholder, takes, ...props }: CodeFieldProps) {
  const { ui, form, name, label } = props;
  const field = fieldAttributes(props);
  return (
    <FieldFrame {...props}>
      <CodeEditor
        id={field.id}
        name={name}
        value={form.values[name] ?? ""}
        mode={mode}
        takes={takes && { shape: takes, wrong: ui.t(WRONG[takes]) }}
        label={label}
        rows={rows}
        placeholder={placeholder}
        autofocus={field.autofocus}
        describedBy={field["aria-describedby"]}
        invalid={field["aria-invalid"] === "true"}
      />
    </FieldFrame>
  );
}
