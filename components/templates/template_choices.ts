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
}

/** Rows as the options of a choice. */
export const options = (rows: Named[]) => rows.map(({ id, name }) => ({ value: id, label: name }));
