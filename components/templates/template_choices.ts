import type { RepositoryContents } from "../../lib/execution/git/contents.ts";
import type { SubmittedForm } from "../../lib/web/forms/form.ts";

interface Named {
  id: number;
  name: string;
}

/** What a template may refer to. */
export interface TemplateChoices {
  inventories: Named[];
  repositories: Named[];
  environments: Named[];
  vaultKeys: Named[];
  views: { id: number; title: string }[];
  builds: Named[];
  deploys: Named[];
  /** What the chosen repository holds, once it was asked. */
  found?: SubmittedForm<RepositoryContents>;
}
