import type { ComponentChildren } from "preact";

export interface Tab {
  label: string;
  href: string;
  current?: boolean;
  /** Id by which the focus is restored if pages replace each other in the document. */
  id?: string;
  /**
   * The page's script merges that page into this one, in place or as a history entry of its own.
   */
  stays?: true | "push";
  count?: TabCount;
}

/** A number beside a tab's name. */
export interface TabCount {
  number: string;
  /** Meaning of the number: "2 hosts failed". */
  label: string;
  isBad?: boolean;
}

/** Links between related pages. */
export function Tabs(
  { id, label, tabs, end }: { id?: string; label: string; tabs: Tab[]; end?: ComponentChildren },
) {
  return (
    <nav id={id} class="tabs" aria-label={label}>
      <ul>
        {tabs.map(({ id, label, href, current, stays, count }, n) => (
          <li key={n}>
            <a id={id} href={href} aria-current={current ? "page" : "false"} data-stay={stays}>
              {label}
              {count && <Count {...count} />}
            </a>
          </li>
        ))}
      </ul>
      {end}
    </nav>
  );
}

const Count = ({ number, label, isBad = false }: TabCount) => (
  <>
    {" "}
    <span class={`tab-count ${isBad ? "tab-count-bad" : ""}`} title={label} aria-hidden="true">
      {number}
    </span>
    <span class="sr-only">({label})</span>
  </>
);
