import { defineConfig } from "vitest/config";

/** The bundle goes into the Python package, whose server serves it; nothing is loaded from elsewhere. */
export default defineConfig({
  base: "./",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    outDir: "../tengen/interfaces/web/page",
    emptyOutDir: true,
    target: "es2021",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: { include: ["test/**/*.test.ts"] },
});
