import type { TaskSetting } from "./TaskFacts.tsx";

interface TaskEndProps {
  /** Address of the event stream that brings the end; none for a task that has ended. */
  follows?: string;
  /** The header's data after the end, which the island of the header reads. */
  setting?: TaskSetting;
}

/** Invisible: where the end of a task arrives for the header of its page. */
export const TaskEnd = ({ follows, setting }: TaskEndProps) => (
  <div id="task-end" hidden data-live={follows} data-setting={setting && JSON.stringify(setting)} />
);
