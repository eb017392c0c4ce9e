import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { TreeMessage, TreeMove } from "../protocol";
import type { Session } from "../session";
import { number, percentage } from "../texts";

const MOST = 12;
/** Milliseconds between two readings of the open nodes while a search is running. */
const INTERVAL = 1500;

type Nodes = Readonly<Record<string, TreeMessage>>;
const keyOf = (path: readonly string[]) => path.join(" ");

/** The tree of a search: nodes open on demand, and are read again while the search goes on. */
export function TreeView(props: {
  session: Session;
  panel: number;
  /** Changes when the tree is another one: all nodes but the root are closed. */
  position: string;
  simulations: number;
  isRunning: boolean;
  onPoint: (line: readonly string[] | null) => void;
}) {
  const { session, panel, position, simulations, isRunning, onPoint } = props;
  const [nodes, setNodes] = useState<Nodes>({});
  const [focused, setFocused] = useState<string>("");
  const open = useRef<Set<string>>(new Set([""]));
  const list = useRef<HTMLUListElement>(null);

  const load = useCallback(
    async (key: string) => {
      const reply = await session.ask({ type: "tree", panel, path: key ? key.split(" ") : [], most: MOST });
      if (reply?.type === "tree" && open.current.has(key)) setNodes((old) => ({ ...old, [key]: reply }));
    },
    [session, panel],
  );
  useEffect(() => {
    open.current = new Set([""]);
    setNodes({});
    setFocused("");
    void load("");
  }, [load, position]);
  useEffect(() => {
    const reload = () => [...open.current].slice(0, 8).forEach((key) => void load(key));
    if (!isRunning) {
      reload();
      return;
    }
    const timer = window.setInterval(reload, INTERVAL);
    return () => window.clearInterval(timer);
  }, [load, isRunning, isRunning ? 0 : simulations]);

  const toggle = (key: string) => {
    if (open.current.has(key)) {
      for (const other of [...open.current]) if (other === key || other.startsWith(`${key} `)) open.current.delete(other);
      setNodes((old) => Object.fromEntries(Object.entries(old).filter(([other]) => open.current.has(other))));
    } else {
      open.current.add(key);
      void load(key);
    }
  };
  const onKey = (event: KeyboardEvent) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [])];
    const index = items.findIndex((item) => item === document.activeElement);
    const item = items[index];
    if (!item) return;
    const key = item.dataset["path"] ?? "";
    const isOpen = open.current.has(key);
    const parent = key.includes(" ") ? key.slice(0, key.lastIndexOf(" ")) : null;
    if (event.key === "ArrowDown") items[index + 1]?.focus();
    else if (event.key === "ArrowUp") items[index - 1]?.focus();
    else if (event.key === "Home") items[0]?.focus();
    else if (event.key === "End") items[items.length - 1]?.focus();
    else if (event.key === "ArrowRight" && item.hasAttribute("aria-expanded")) {
      if (isOpen) items[index + 1]?.focus();
      else toggle(key);
    } else if (event.key === "ArrowLeft") {
      if (isOpen) toggle(key);
      else if (parent !== null) items.find((other) => other.dataset["path"] === parent)?.focus();
    } else if ((event.key === "Enter" || event.key === " ") && item.hasAttribute("aria-expanded")) toggle(key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const root = nodes[""];
  if (!root) return <p class="soft">No tree yet: start an analysis or run one simulation.</p>;

  const render = (node: TreeMessage, path: readonly string[]) => (
    <>
      {node.moves.map((move, index) => {
        const line = [...path, move.move];
        const key = keyOf(line);
        const child = nodes[key];
        return (
          <li
            key={key}
            role="treeitem"
            data-path={key}
            aria-level={line.length}
            aria-expanded={move.has_node ? child !== undefined : undefined}
            aria-labelledby={rowId(panel, key)}
            tabIndex={focused === key || (!focused && !path.length && !index) ? 0 : -1}
            onFocus={(event) => {
              event.stopPropagation();
              setFocused(key);
              onPoint(line);
            }}
          >
            <TreeRow id={rowId(panel, key)} move={move} share={move.visits / Math.max(1, node.simulations)} isOpen={child !== undefined} onToggle={() => toggle(key)} onPoint={() => onPoint(line)} />
            {child && (
              <ul role="group">
                {render(child, line)}
                {child.count > child.moves.length && <li class="soft more" role="none">{child.count - child.moves.length} more moves</li>}
              </ul>
            )}
          </li>
        );
      })}
    </>
  );
  return (
    <div class="scroll tall">
      <p class="soft number tree-head">
        {root.to_play} to play · {number(root.simulations)} simulations · value {percentage(root.value)} · {root.count} moves
      </p>
      <ul role="tree" class="tree" aria-label="Search tree: move, visits, value" ref={list} onKeyDown={onKey} onPointerLeave={() => onPoint(null)} onFocusOut={() => onPoint(null)}>
        {render(root, [])}
      </ul>
    </div>
  );
}

function rowId(panel: number, key: string): string {
  return `tree-${panel}-${key.replaceAll(" ", "_")}`;
}

function TreeRow(props: { id: string; move: TreeMove; share: number; isOpen: boolean; onToggle: () => void; onPoint: () => void }) {
  const { id, move, share, isOpen, onToggle, onPoint } = props;
  return (
    <div id={id} class={`tree-row${move.has_node ? " has-node" : ""}`} onClick={move.has_node ? onToggle : undefined} onPointerEnter={onPoint}>
      <svg class={`arrow${isOpen ? " open" : ""}`} viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        {move.has_node && <path d="M3 1l4 4-4 4z" />}
      </svg>
      <span class="tree-move">{move.move}</span>
      <svg class="bar" viewBox="0 0 40 6" width="40" height="6" aria-hidden="true">
        <rect width="40" height="6" rx="3" class="bar-back" />
        <rect width={40 * Math.min(1, share)} height="6" rx="3" class="bar-front" />
      </svg>
      <span class="number">{number(move.visits)}</span>
      <span class="number">{percentage(move.value)}</span>
      {move.proof && <span class={`proof ${move.proof}`}>proved {move.proof}</span>}
    </div>
  );
}
