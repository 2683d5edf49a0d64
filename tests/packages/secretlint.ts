export { lintSource } from "npm:@secretlint/core@13.0.7";
export { creator } from "npm:@secretlint/secretlint-rule-preset-recommend@13.0.7";
