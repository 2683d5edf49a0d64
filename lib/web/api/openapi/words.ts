export const snakeCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => "_" + letter.toLowerCase());

/** "survey_vars" and "surveyVars" become "SurveyVars". */
export const pascalCase = (name: string) =>
  name.replaceAll(/(?:^|[^A-Za-z0-9])([A-Za-z0-9]?)/g, (_, letter) => letter.toUpperCase());

/** Returns the singular of a name that ends in a plural. */
export function singular(name: string): string {
  if (name.endsWith("ies")) return name.slice(0, -3) + "y";
  if (/(x|ch|sh|ss|as)es$/.test(name)) return name.slice(0, -2);
  return /[^su]s$/.test(name) ? name.slice(0, -1) : name;
}
