import type { ComponentChildren } from "preact";

interface Tab {
  label: string;
  href: string;
  current?: boolean;
}

/** Links between pages that belong together. */
export function Tabs(
  { label, tabs, end }: { label: string; tabs: Tab[]; end?: ComponentChildren },
) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map(({ label, href, current }) => (
          <li>
            <a href={href} aria-current={current ? "page" : undefined}>{label}</a>
          </li>
        ))}
      </ul>
      {end}
    </nav>
  );
}
