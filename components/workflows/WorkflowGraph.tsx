import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { StepKind } from "@/lib/workflows/schema.ts";
import type { StepState as State } from "@/lib/workflows/step_state.ts";
import { Icon, type IconName } from "../ui/Icon.tsx";
import { BOX, curveThrough, type GraphLayout, LABEL_HEIGHT } from "@/lib/workflows/drawing.ts";
import { StateIcon } from "../ui/StepState.tsx";

/** A step as it is drawn. */
interface DrawnStep {
  id: number;
  kind: StepKind;
  name: string;
  /** Second line: the template, a time limit. */
  detail: string;
  href?: string;
  /** Missing outside of a run. */
  state?: State;
}

interface WorkflowGraphProps {
  ui: Ui;
  layout: GraphLayout;
  steps: readonly DrawnStep[];
}

export const KIND_ICONS: Record<StepKind, IconName> = {
  template: "templates",
  approval: "confirmed",
  wait: "waiting",
  workflow: "workflows",
};

/**
 * The steps of a workflow from top to bottom, with lines to those that follow. Hidden from screen
 * readers, because the table below says the same.
 */
export function WorkflowGraph({ ui, layout, steps }: WorkflowGraphProps) {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const { width, height, boxes, lines } = layout;
  return (
    <div class="wf-graph" role="group" aria-label={ui.t("workflows.steps")} tabIndex={0}>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        aria-hidden="true"
      >
        <defs>
          <marker
            id="wf-arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path class="wf-arrow" d="M0 0 8 4 0 8z" />
          </marker>
        </defs>
        {lines.map(({ label, points, middle }, n) => (
          <g key={n} class={`wf-line ${label === "" ? "" : "wf-condition"}`}>
            <path d={curveThrough(points)} marker-end="url(#wf-arrow)" />
            {label && (
              <text x={middle.x} y={middle.y + LABEL_HEIGHT / 4} text-anchor="middle">{label}</text>
            )}
          </g>
        ))}
        {boxes.map(({ id, x, y }) => (
          <foreignObject key={id} x={x} y={y} width={BOX.width} height={BOX.height}>
            <Box ui={ui} step={byId.get(id)!} />
          </foreignObject>
        ))}
      </svg>
    </div>
  );
}

function Box({ ui, step }: { ui: Ui; step: DrawnStep }) {
  const { kind, name, detail, href, state } = step;
  const content = (
    <>
      {state
        ? <StateIcon ui={ui} state={state} />
        : <Icon name={KIND_ICONS[kind]} class="text-muted" />}
      <span class="wf-box-text">
        <span class="truncate font-semibold">{visible(name)}</span>
        <span class="truncate text-muted">{visible(detail)}</span>
      </span>
    </>
  );
  const title = [name, detail].filter(Boolean).join("\n");
  const look = `wf-box ${state ? `wf-box-${state}` : ""}`;
  return href
    ? <a class={look} href={href} title={title} tabIndex={-1}>{content}</a>
    : <span class={look} title={title}>{content}</span>;
}
