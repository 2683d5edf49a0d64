import { editRunnerPage } from "@/routes/(_pages)/runner_pages.tsx";
import { PROJECT_RUNNERS } from "@/routes/(_pages)/runners.tsx";

const { handler, Page } = editRunnerPage(PROJECT_RUNNERS);
export { handler, Page as default };
