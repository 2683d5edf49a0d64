import { Title } from "@/components/ui/Page.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ApiDocument, ApiOperation } from "@/lib/web/api/openapi/reading.ts";

/** The whole API on one page for people, rendered from the OpenAPI document, which is English. */
export function ApiDocs({ ui, document }: { ui: Ui; document: ApiDocument }) {
  return (
    <main id="main" class="api-docs">
      <Title ui={ui} parts={[ui.t("docs.title")]} />
      <h1>{ui.t("docs.title")}</h1>
      <p>
        <Prose text={document.description} />
      </p>
      <p>
        <a href={ui.href("/api/openapi.json")}>{ui.t("docs.machine")}</a>
      </p>
      <nav aria-label={ui.t("docs.contents")}>
        <ul class="flex flex-wrap gap-4 list-none p-0">
          {document.groups.map(({ tag }) => (
            <li>
              <a href={`#${anchor(tag)}`} lang="en">{tag}</a>
            </li>
          ))}
        </ul>
      </nav>
      {document.groups.map(({ tag, operations }) => (
        <section aria-labelledby={anchor(tag)}>
          <h2 id={anchor(tag)} lang="en">{tag}</h2>
          {operations.map((operation) => (
            <Operation key={operation.id} ui={ui} operation={operation} />
          ))}
        </section>
      ))}
    </main>
  );
}

const anchor = (tag: string) => tag.toLowerCase().replaceAll(/\W+/g, "-");

function Operation({ ui, operation }: { ui: Ui; operation: ApiOperation }) {
  const { id, method, path, summary, description, parameters, body, responses } = operation;
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
            {parameters.map(({ name, place, required }) => (
              <li>
                <code>{name}</code> (<span lang="en">{place}</span>
                {required && `, ${ui.t("docs.required")}`})
              </li>
            ))}
          </ul>
        </>
      )}
      {body && <Schema title={ui.t("docs.body")} schema={body} />}
      <h3>{ui.t("docs.answers")}</h3>
      <ul>
        {responses.map(({ status, description }) => (
          <li>
            <code>{status}</code> <Prose text={description} />
          </li>
        ))}
      </ul>
      {operation.answer && <Schema title={ui.t("docs.answer")} schema={operation.answer} />}
    </details>
  );
}

const Schema = ({ title, schema }: { title: string; schema: string }) => (
  <>
    <h3>{title}</h3>
    <pre tabIndex={0} aria-label={title}><code>{schema}</code></pre>
  </>
);

/** An English sentence that may contain `code`. */
const Prose = ({ text }: { text: string }) => (
  <>
    {text.split("`").map((part, index) =>
      index % 2 === 1 ? <code key={index}>{part}</code> : <span key={index} lang="en">{part}</span>
    )}
  </>
);
