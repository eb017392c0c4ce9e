import { render } from "preact";
import { App } from "./app";
import { applyTheme, savedTheme } from "./theme";
import "./styles/base.css";
import "./styles/board.css";
import "./styles/layout.css";
import "./styles/panels.css";

applyTheme(savedTheme());
render(<App />, document.getElementById("app") as HTMLElement);
