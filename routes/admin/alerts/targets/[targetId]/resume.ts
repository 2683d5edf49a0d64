import { resumeTargetHandlers } from "@/routes/(_pages)/alert_target_pages.tsx";
import { SERVER_ALERTS } from "@/routes/(_pages)/alerts.ts";

export const handler = resumeTargetHandlers(SERVER_ALERTS);
