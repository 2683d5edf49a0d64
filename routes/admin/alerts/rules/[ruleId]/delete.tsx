import { deleteRulePage } from "@/routes/(_pages)/alert_rule_pages.tsx";
import { SERVER_ALERTS } from "@/routes/(_pages)/alerts.ts";

const { handler, Page } = deleteRulePage(SERVER_ALERTS);
export { handler, Page as default };
