import { useEffect, useState } from "preact/hooks";
import { StoneGradients } from "./board/cells";
import { errorOf, useDocument, valueOf } from "./documents";
import type { Catalogue } from "./protocol";
import { link, useRoute } from "./router";
import { applyTheme, savedTheme, type Theme } from "./theme";
import { ArenaView } from "./views/arena";
import { BoardViews } from "./views/board_views";
import { PapersView } from "./views/papers";
import { ReviewStart } from "./views/review_start";
import { StartView } from "./views/start";

const BOARD_VIEWS = ["board", "compare", "review"];

export function App() {
  const route = useRoute();
  const loading = useDocument<Catalogue>("api/catalogue");
  const catalogue = valueOf(loading);
  const [view = "", id] = route;
  const [lastBoard, setLastBoard] = useState<string | null>(null);
  const board = BOARD_VIEWS.includes(view) && id ? id : null;
  useEffect(() => {
    if (board) setLastBoard(board);
  }, [board]);
  useEffect(() => {
    document.title = `${TITLES[view] ?? "New game"} · Tengen`;
  }, [view]);
  return (
    <>
      <StoneGradients />
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <Header view={view} board={board ?? lastBoard} />
      <main id="main" tabIndex={-1}>
        {errorOf(loading) && <p class="notice bad">{errorOf(loading)}</p>}
        {catalogue && <View view={view} id={board} rest={route.slice(1)} catalogue={catalogue} />}
      </main>
    </>
  );
}

const TITLES: Record<string, string> = {
  board: "Play",
  compare: "Side by side",
  review: "Review",
  arena: "Arena",
  papers: "Papers",
};

function skip(event: Event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function View(props: { view: string; id: string | null; rest: string[]; catalogue: Catalogue }) {
  const { view, id, rest, catalogue } = props;
  if (id) return <BoardViews key={id} id={id} view={view} catalogue={catalogue} />;
  if (view === "review") return <ReviewStart catalogue={catalogue} />;
  if (view === "compare") return <StartView key="compare" catalogue={catalogue} next="compare" />;
  if (view === "arena") return <ArenaView catalogue={catalogue} rest={rest} />;
  if (view === "papers") return <PapersView />;
  return <StartView key="board" catalogue={catalogue} next="board" />;
}

function Header({ view, board }: { view: string; board: string | null }) {
  const withBoard = (name: string) => (board ? link(name, board) : link(name));
  const items: [string, string, string][] = [
    ["New", link(), ""],
    ...(board ? ([["Play", link("board", board), "board"]] as [string, string, string][]) : []),
    ["Compare", withBoard("compare"), "compare"],
    ["Review", withBoard("review"), "review"],
    ["Arena", link("arena"), "arena"],
    ["Papers", link("papers"), "papers"],
  ];
  return (
    <header class="header">
      <a class="brand" href={link()}>
        <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
          <rect width="32" height="32" rx="7" class="brand-wood" />
          <path d="M16 3v26M3 16h26" class="brand-lines" />
          <circle cx="16" cy="16" r="8.5" class="brand-stone" />
        </svg>
        Tengen
      </a>
      <nav aria-label="Views">
        {items.map(([name, address, key]) => (
          <a key={name} href={address} aria-current={view === key ? "page" : undefined}>
            {name}
            {name === "New" && <span class="wide"> game</span>}
          </a>
        ))}
      </nav>
      <ThemeSwitch />
    </header>
  );
}

const NEXT_THEME: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };
const THEME_SIGNS: Record<Theme, string> = {
  auto: "M8 2a6 6 0 100 12zM8 2a6 6 0 010 12",
  light: "M8 5a3 3 0 100 6 3 3 0 000-6zM8 .8v1.8M8 13.4v1.8M.8 8h1.8M13.4 8h1.8M2.9 2.9l1.3 1.3M11.8 11.8l1.3 1.3M2.9 13.1l1.3-1.3M11.8 4.2l1.3-1.3",
  dark: "M13.5 9.7A6 6 0 016.3 2.5a6 6 0 107.2 7.2z",
};

function ThemeSwitch() {
  const [theme, setTheme] = useState(savedTheme);
  const change = () => {
    const next = NEXT_THEME[theme];
    applyTheme(next);
    setTheme(next);
  };
  const name = `Colours: ${theme === "auto" ? "as the system" : theme}`;
  return (
    <button type="button" class="button quiet small theme" title={name} aria-label={`${name}. Change`} onClick={change}>
      <svg viewBox="0 0 16 16" width="18" height="18" class={`theme-sign ${theme}`} aria-hidden="true">
        <path d={THEME_SIGNS[theme]} />
      </svg>
    </button>
  );
}
