import { Prose } from "@/components/ui/Prose.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ApiOperation, ApiType } from "@/lib/web/api/openapi/reading.ts";

export const anchorOf = (tag: string) => tag.toLowerCase().replaceAll(/\W+/g, "-");

/** One call: what it does and takes, a command that makes it, and an answer. */
export function ApiCall({ ui, operation }: { ui: Ui; operation: ApiOperation }) {
  const { id, method, path, summary, description, parameters, statuses } = operation;
  return (
    <details class="api-operation" id={id}>
      <summary>
        <code>{method}</code> <code>{path}</code>{" "}
        <span>
          <Prose text={summary} />
        </span>
      </summary>
      <p>
        <Prose text={description} />
      </p>
      {parameters.length > 0 && (
        <>
          <h3>{ui.t("docs.parameters")}</h3>
          <ul>
            {parameters.map(({ name, place, required, description }) => (
              <li>
                <code>{name}</code> (<span lang="en">{place}</span>
                {required && `, ${ui.t("docs.required")}`}) <Prose text={description} />
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>{ui.t("docs.example")}</h3>
      {operation.body && (
        <p>
          {ui.t("docs.body")}: <TypeLink type={operation.body} />
        </p>
      )}
      <pre tabIndex={0} aria-label={ui.t("docs.example")} lang="en">
        <code>{operation.command}</code>
      </pre>
      <h3>{ui.t("docs.answer")}</h3>
      <p>
        <code>{statuses.join(" ")}</code> {operation.answer && <TypeLink type={operation.answer} />}
      </p>
      {operation.answerExample && (
        <pre tabIndex={0} aria-label={ui.t("docs.answer")} lang="en">
          <code>{operation.answerExample}</code>
        </pre>
      )}
    </details>
  );
}

/** A type, with a link to the description of its schema. */
export const TypeLink = ({ type: { text, schema } }: { type: ApiType }) =>
  schema ? <a href={`#schema-${schema}`} lang="en">{text}</a> : <span lang="en">{text}</span>;
