import type { RepositoryContents } from "../../lib/execution/git/contents.ts";
import type { SubmittedForm } from "../../lib/web/forms/form.ts";

interface Named {
  id: number;
  name: string;
}

/** Resources that a template can refer to. */
export interface TemplateChoices {
  inventories: Named[];
  repositories: Named[];
  environments: Named[];
  vaultKeys: Named[];
  sshKeys: Named[];
  views: { id: number; title: string }[];
  builds: readonly Named[];
  deploys: readonly Named[];
  /** Members of the project, who can approve. */
  people: Named[];
  roles: { slug: string; name: string }[];
  /** Labels of the project's runners. */
  runnerLabels: string[];
  /** Issuer of the identities of tasks; null if the server's own address is not configured. */
  issuer: string | null;
  /** Toolchains of the project and of the server. */
  toolchains: Named[];
  /** Address of the playbooks of a repository. */
  suggestions: string;
  /** Contents of the chosen repository, once they were loaded. */
  found?: SubmittedForm<RepositoryContents>;
}
