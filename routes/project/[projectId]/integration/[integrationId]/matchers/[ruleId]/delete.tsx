import { matcherPages } from "@/routes/(_pages)/integration_rules.ts";

const { handler, Page } = matcherPages.delete;
export { handler, Page as default };
