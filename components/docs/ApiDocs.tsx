import { PageHeader, Title } from "@/components/ui/Page.tsx";
import { Prose } from "@/components/ui/Prose.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ApiDocument, ApiOperation } from "@/lib/web/api/openapi/reading.ts";

interface ApiDocsProps {
  ui: Ui;
  document: ApiDocument;
  /** Whether it is shown among the pages of the server. */
  isAdminPage: boolean;
}

/** The whole API on one page for people, rendered from the OpenAPI document, which is English. */
export function ApiDocs({ ui, document, isAdminPage }: ApiDocsProps) {
  const title = ui.t("docs.title");
  return (
    <div class="api-docs">
      <Title ui={ui} parts={[title, isAdminPage ? ui.t("admin.title") : undefined]} />
      <PageHeader title={title} />
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
    </div>
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
