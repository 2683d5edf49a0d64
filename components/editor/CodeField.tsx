import CodeEditor, { type CodeEditorProps } from "../../islands/CodeEditor.tsx";
import { fieldAttributes, FieldFrame, type FieldProps } from "../ui/forms/Field.tsx";

type CodeFieldProps =
  & Omit<FieldProps, "autofocus" | "disabled">
  & Pick<CodeEditorProps, "mode" | "rows" | "placeholder">;

/** A field for code: a text area, which becomes an editor if there is a script. */
export function CodeField({ mode, rows, placeholder, ...props }: CodeFieldProps) {
  const { form, name, label } = props;
  const field = fieldAttributes(props);
  return (
    <FieldFrame {...props}>
      <CodeEditor
        id={field.id}
        name={name}
        value={form.values[name] ?? ""}
        mode={mode}
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
