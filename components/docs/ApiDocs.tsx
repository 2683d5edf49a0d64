import { PageHeader, Title } from "@/components/ui/Page.tsx";
import { Prose } from "@/components/ui/Prose.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ApiDocument, ApiSchema } from "@/lib/web/api/openapi/reading.ts";
import { anchorOf, ApiCall, TypeLink } from "./ApiCall.tsx";

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
          <li>
            <a href="#quick-start">{ui.t("docs.quick_start")}</a>
          </li>
          {document.groups.map(({ tag }) => (
            <li>
              <a href={`#${anchorOf(tag)}`} lang="en">{tag}</a>
            </li>
          ))}
          <li>
            <a href="#schemas">{ui.t("docs.schemas")}</a>
          </li>
        </ul>
      </nav>
      <QuickStart ui={ui} steps={document.quickStart} />
      <Errors ui={ui} errors={document.errors} codes={document.codes} />
      {document.groups.map(({ tag, operations }) => (
        <section aria-labelledby={anchorOf(tag)}>
          <h2 id={anchorOf(tag)} lang="en">{tag}</h2>
          {operations.map((operation) => (
            <ApiCall key={operation.id} ui={ui} operation={operation} />
          ))}
        </section>
      ))}
      <section aria-labelledby="schemas">
        <h2 id="schemas">{ui.t("docs.schemas")}</h2>
        {document.schemas.map((schema) => <Schema key={schema.id} ui={ui} schema={schema} />)}
      </section>
    </div>
  );
}

const QuickStart = ({ ui, steps }: { ui: Ui; steps: ApiDocument["quickStart"] }) => (
  <section aria-labelledby="quick-start">
    <h2 id="quick-start">{ui.t("docs.quick_start")}</h2>
    <ol>
      {steps.map(({ title, command }) => (
        <li>
          <p>
            <Prose text={title} />
          </p>
          <pre tabIndex={0} aria-label={ui.t("docs.example")} lang="en"><code>{command}</code></pre>
        </li>
      ))}
    </ol>
  </section>
);

const Errors = (
  { ui, errors, codes }: Pick<ApiDocument, "errors" | "codes"> & { ui: Ui },
) => (
  <section aria-labelledby="errors">
    <h2 id="errors">{ui.t("docs.errors")}</h2>
    <ul>
      {errors.map(({ status, description }) => (
        <li>
          <code>{status}</code> <Prose text={description} />
        </li>
      ))}
    </ul>
    <details class="api-operation" id="codes">
      <summary>{ui.t("docs.codes")}</summary>
      <ul>
        {codes.map(({ code, sentence }) => (
          <li>
            <code>{code}</code> <span lang="en">{sentence}</span>
          </li>
        ))}
      </ul>
    </details>
  </section>
);

const Schema = ({ ui, schema: { id, members } }: { ui: Ui; schema: ApiSchema }) => (
  <details class="api-operation" id={`schema-${id}`}>
    <summary>
      <code>{id}</code>
    </summary>
    <ul>
      {members.map(({ name, required, type }) => (
        <li>
          <code>{name}</code> <TypeLink type={type} />
          {required && `, ${ui.t("docs.required")}`}
        </li>
      ))}
    </ul>
  </details>
);
