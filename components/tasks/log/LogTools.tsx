import type { ReadonlySignal } from "@preact/signals-core";
import { foundText, LogSearch } from "./LogSearch.tsx";
import type { TaskLogTexts } from "./log_texts.ts";
import { Button, IconButton } from "@/components/ui/Button.tsx";
import { CopyButton } from "@/components/ui/CopyButton.tsx";
import { Icon } from "@/components/ui/Icon.tsx";
import type { LogStore } from "@/lib/client/output/log.ts";

interface LogToolsProps {
  log: LogStore;
  texts: TaskLogTexts;
  language: string;
  /** Address of the task in the API. */
  api: string;
  taskId: number;
  toggleFullScreen(): void;
}

/** The toolbar of a log: search, number of lines, display options, and ways to take it away. */
export function LogTools(props: LogToolsProps) {
  const { log, texts, language } = props;
  const { viewport, outline, wraps } = log;
  return (
    <div class={`log-tools ${log.isReady.value ? "" : "log-tools-unready"}`}>
      <LogSearch search={log.search} texts={texts} />
      <div class="log-options">
        <LogCount log={log} texts={texts} language={language} />
        {outline.firstFailure.value !== null && (
          <Button
            type="button"
            title={texts.first_failure_key}
            onClick={log.goToFailure}
          >
            {texts.first_failure}
          </Button>
        )}
        <LogChoice label={texts.follow} choice={viewport.follow} set={viewport.setFollow} />
        <LogChoice label={texts.wrap} choice={wraps} set={log.wrap} />
        <LogChoice
          label={texts.fold}
          choice={outline.isFolded}
          set={outline.fold}
          disabled={!outline.hasSections.value}
        />
        <LogOut {...props} />
      </div>
    </div>
  );
}

/** The number of lines, or of matches. */
const LogCount = ({ log, texts, language }: Pick<LogToolsProps, "log" | "texts" | "language">) => (
  <span class="log-count" role="status">
    {log.lines.isConnected.value ? foundText(log, texts, language) : texts.reconnecting}
  </span>
);

interface LogChoiceProps {
  label: string;
  choice: ReadonlySignal<boolean>;
  set(is: boolean): void;
  disabled?: boolean;
}

/** A checkbox for a display option of the log. */
const LogChoice = ({ label, choice, set, disabled }: LogChoiceProps) => (
  <label class="log-choice">
    <input
      type="checkbox"
      checked={choice.value}
      disabled={disabled}
      onChange={(event) => set(event.currentTarget.checked)}
    />
    {label}
  </label>
);

/** Buttons for full screen, copying, and downloading the log. */
function LogOut({ api, taskId, texts, toggleFullScreen }: LogToolsProps) {
  // All lines as shown, without colors.
  const text = `${api}/raw_output?plain=true`;
  return (
    <span class="log-out">
      <IconButton
        type="button"
        icon="maximize"
        label={texts.full_screen}
        onClick={toggleFullScreen}
      />
      <CopyButton what={{ from: text }} label={texts.copy} copied={texts.copied} />
      <a
        class="icon-button"
        href={text}
        download={`task_${taskId}.txt`}
        title={texts.download}
      >
        <Icon name="download" />
        <span class="sr-only">{texts.download}</span>
      </a>
    </span>
  );
}
