import { rulePage } from "@/routes/(_pages)/alert_rule_pages.tsx";
import { SERVER_ALERTS } from "@/routes/(_pages)/alerts.ts";

const { handler, Page } = rulePage(SERVER_ALERTS);
export { handler, Page as default };
