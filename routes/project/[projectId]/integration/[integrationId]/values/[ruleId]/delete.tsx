import { extractValuePages } from "@/routes/(_pages)/integration_rules.ts";

const { handler, Page } = extractValuePages.delete;
export { handler, Page as default };
