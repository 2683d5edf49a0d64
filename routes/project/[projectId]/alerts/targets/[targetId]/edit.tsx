import { editTargetPage } from "@/routes/(_pages)/alert_target_pages.tsx";
import { PROJECT_ALERTS } from "@/routes/(_pages)/alerts.ts";

const { handler, Page } = editTargetPage(PROJECT_ALERTS);
export { handler, Page as default };
