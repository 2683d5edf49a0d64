import { runnerEvents } from "@/routes/(_pages)/runner_pages.tsx";
import { PROJECT_RUNNERS } from "@/routes/(_pages)/runners.tsx";

export const handler = runnerEvents(PROJECT_RUNNERS);
