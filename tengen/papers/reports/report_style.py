"""The style sheet of the site over results: light and dark, from 360 pixels on."""

STYLE = """\
:root {
  color-scheme: light dark;
  --paper: #ffffff; --panel: #f6f8fa; --ink: #1f2328; --soft: #57606a; --line: #d8dee4; --link: #0a5ca8;
  --good: #d9f2e3; --good-ink: #0b5330; --more: #dcecfb; --more-ink: #0b4a85; --less: #fde8d4; --less-ink: #7a3b00;
  --none: #e9ecef; --none-ink: #444c56;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15191e; --panel: #1c2127; --ink: #e6edf3; --soft: #a2abb5; --line: #363d46; --link: #79b8f3;
    --good: #14402a; --good-ink: #a6e9c3; --more: #123a5e; --more-ink: #b5d9fa; --less: #52300f; --less-ink: #fbd0a4;
    --none: #30363d; --none-ink: #c9d1d9;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1rem 1rem 4rem; max-width: 72rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: break-word;
}
header { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; padding-bottom: .75rem; }
header p { color: var(--soft); margin: .25rem 0; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: .5rem 0; }
h2 { font-size: 1.3rem; margin: 2.25rem 0 .75rem; }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
p { max-width: 46rem; }
a { color: var(--link); }
a:focus-visible, .scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9em; }
pre { margin: 0; padding: .75rem 1rem; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; background: var(--paper); }
.scroll + .scroll { margin-top: 1rem; }
figure { margin: 1.25rem 0; }
figure img {
  display: block; width: 100%; min-width: 34rem; max-width: 56rem; height: auto; margin: 0 auto; padding: .5rem;
}
figcaption, .note { color: var(--soft); font-size: .875rem; max-width: 46rem; margin-top: .5rem; }
table { border-collapse: separate; border-spacing: 0; width: 100%; font-size: .92rem; }
th, td { padding: .4rem .75rem; text-align: left; vertical-align: baseline; white-space: nowrap; }
thead th { background: var(--panel); color: var(--soft); font-weight: 600; }
tbody th, tbody td { border-top: 1px solid var(--line); }
tbody th {
  position: sticky; left: 0; min-width: 8rem; background: var(--paper); font-weight: 500; white-space: normal;
}
.number { text-align: right; font-variant-numeric: tabular-nums; }
.wide td:last-child { white-space: normal; min-width: 16rem; }
.totals { display: flex; flex-wrap: wrap; gap: .5rem 2.5rem; margin: 1rem 0 .25rem; }
.totals dt { color: var(--soft); font-size: .875rem; }
.totals dd { margin: 0; }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); }
.card {
  display: flex; flex-direction: column; border: 1px solid var(--line); border-radius: .6rem; padding: .75rem 1rem;
  color: inherit; text-decoration: none; background: var(--paper); min-width: 0;
}
.card:hover { border-color: var(--link); }
.card img { display: block; width: 100%; height: 11rem; object-fit: contain; }
.card h3 { margin: .75rem 0 .1rem; color: var(--link); }
.card p { margin: .15rem 0; font-size: .875rem; color: var(--soft); }
.card .summary { margin: auto 0 0; padding-top: .5rem; }
.summary { margin: .5rem 0 1rem; }
.summary div { margin: .2rem 0; }
.summary dt, .summary dd { display: inline; margin: 0; }
.summary dt { color: var(--soft); font-size: .875rem; }
.scale { border: 1px solid var(--line); border-radius: .3rem; padding: 0 .35rem; white-space: nowrap; }
.badge {
  display: inline-block; border-radius: 1rem; padding: 0 .55rem; font-size: .82rem; line-height: 1.5;
  white-space: nowrap;
}
.agrees, .yes { background: var(--good); color: var(--good-ink); }
.higher { background: var(--more); color: var(--more-ink); }
.lower, .no { background: var(--less); color: var(--less-ink); }
.not-shown { background: var(--none); color: var(--none-ink); }
@media print { body { max-width: none; } .scroll { overflow: visible; border: 0; } a { color: inherit; } }
"""
