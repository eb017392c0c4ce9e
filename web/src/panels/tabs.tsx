import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

/** Tabs by the pattern of WAI-ARIA: arrow keys move between them. */
export function Tabs<Key extends string>(props: {
  tabs: readonly (readonly [Key, string])[];
  current: Key;
  onChange: (key: Key) => void;
  label: string;
  children: ComponentChildren;
}) {
  const { tabs, current, onChange, label, children } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent) => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!move) return;
    const index = (tabs.findIndex(([key]) => key === current) + move + tabs.length) % tabs.length;
    const next = tabs[index];
    if (!next) return;
    event.preventDefault();
    onChange(next[0]);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[index]?.focus();
  };
  return (
    <div class="stack tight">
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKey}>
        {tabs.map(([key, title]) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={key === current}
            aria-controls={`${id}-panel`}
            tabIndex={key === current ? 0 : -1}
            onClick={() => onChange(key)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`} class="tab-panel">
        {children}
      </div>
    </div>
  );
}
