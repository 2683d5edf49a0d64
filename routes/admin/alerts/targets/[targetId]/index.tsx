import { targetPage } from "@/routes/(_pages)/alert_target_pages.tsx";
import { SERVER_ALERTS } from "@/routes/(_pages)/alerts.ts";

const { handler, Page } = targetPage(SERVER_ALERTS);
export { handler, Page as default };
