interface WaysProps {
  id: string;
  /** Label of the choice. */
  label: string;
  ways: { name: string; text: string; href: string; current: boolean }[];
}

/** Views of the same data. With a script, they are merged into the page. */
export const Ways = ({ id, label, ways }: WaysProps) => (
  <nav aria-label={label}>
    <ul class="ways">
      {ways.map(({ name, text, href, current }, n) => (
        <li key={n}>
          <a id={`${id}-${name}`} href={href} aria-current={current ? "true" : "false"} data-stay>
            {text}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
