import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const BUNDLED = ["preact", "@sabaki/shudan", "classnames"];

/** Put the licences of the bundled packages beside the bundle. */
function licences(): Plugin {
  return {
    name: "licences",
    generateBundle() {
      const texts = BUNDLED.map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}\n`);
      this.emitFile({ type: "asset", fileName: "licences.txt", source: texts.join("\n---\n\n") });
    },
  };
}

/** The bundle goes into the Python package, whose server serves it; nothing is loaded from elsewhere. */
export default defineConfig({
  base: "./",
  plugins: [licences()],
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  build: {
    outDir: "../tengen/interfaces/web/page",
    emptyOutDir: true,
    target: "es2021",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: { include: ["test/**/*.test.ts"] },
});
