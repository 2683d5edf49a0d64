import { deleteRulePage } from "@/routes/(_pages)/alert_rule_pages.tsx";
import { PROJECT_ALERTS } from "@/routes/(_pages)/alerts.ts";

const { handler, Page } = deleteRulePage(PROJECT_ALERTS);
export { handler, Page as default };
