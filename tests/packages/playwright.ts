export { chromium } from "npm:playwright-core@1.65.1";
export type { Browser, BrowserContextOptions, Page } from "npm:playwright-core@1.65.1";
