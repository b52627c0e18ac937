/** The style of a page, for light and dark. Nothing is in colour alone. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1f2328; --paper: #fff; --dim: #59636e; --line: #d1d9e0; --mark: #ddf4ff;
  --good: #116329; --bad: #a40e26; --accent: #0550ae }
@media (prefers-color-scheme: dark) { :root { --ink: #d1d7e0; --paper: #0d1117; --dim: #9198a1; --line: #3d444d;
  --mark: #1b3a5c; --good: #56d364; --bad: #ff938a; --accent: #79c0ff } }
* { box-sizing: border-box; unicode-bidi: isolate }
[hidden] { display: none !important }
body { margin: 0; color: var(--ink); background: var(--paper); font: 14px/1.45 system-ui, sans-serif }
header, main, #timeline, footer { padding: 8px 16px }
h1, h2, h3 { font-size: 1em; margin: 12px 0 4px }
h1 { margin: 0 }
p { margin: 2px 0 }
a { color: var(--accent) }
pre, .diff, #timeline { font: 13px/1.4 ui-monospace, Menlo, Consolas, monospace }
pre { margin: 4px 0; white-space: pre-wrap; overflow-wrap: anywhere }
i, small, .note, .turn, time, em { color: var(--dim); font-style: normal }
small { display: block; padding-left: 1.2em; font-size: 13px }
.facts span::before { content: " | "; color: var(--dim) }
ol { list-style: none; margin: 0; padding: 0 }
#timeline li { border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
#timeline a { display: block; padding: 3px 6px; color: inherit; text-decoration: none }
#timeline a[href]:hover { text-decoration: underline }
#timeline a[aria-current] { background: var(--mark); outline: 2px solid var(--accent); outline-offset: -2px }
#timeline a[data-mark]::before { content: "A "; font-weight: bold; color: var(--accent) }
.loss { color: var(--bad) }
summary { cursor: pointer; padding: 2px 0 }
details { border-bottom: 1px solid var(--line) }
details > pre, details > div { margin-left: 1.2em }
.box { border: 3px double var(--line); margin: 6px 0; padding: 4px 8px }
.box > summary { text-align: center; border-bottom: 3px double var(--line) }
.box > pre { margin-left: 0 }
table { border-collapse: collapse; width: 100%; max-width: 60em }
th { text-align: left; font-weight: normal }
td { text-align: right; white-space: nowrap; width: 6em; padding-left: 8px; font-variant-numeric: tabular-nums }
th { overflow-wrap: anywhere }
@media (max-width: 599px) { td { width: 1% } }
tr { border-bottom: 1px solid var(--line) }
.diff p { white-space: pre-wrap; min-height: 1.4em; overflow-wrap: anywhere }
.diff .heading { font-weight: bold; margin-top: 8px }
.diff .added, .added > * { color: var(--good) }
.diff .removed, .removed > * { color: var(--bad) }
.diff .note { color: var(--dim) }
div.added, div.removed, .fresh { padding-left: 20px; position: relative }
div.added::before, .fresh::before { content: "+"; position: absolute; left: 4px; font-weight: bold; color: var(--good) }
div.removed::before { content: "-"; position: absolute; left: 4px; font-weight: bold; color: var(--bad) }
nav, #mark { display: none }
.live nav { display: flex; flex-wrap: wrap; gap: 4px 12px }
.live #mark { display: inline-block; font: inherit }
.live nav a { color: inherit; text-decoration: none; padding: 2px 4px; border-bottom: 3px solid transparent }
.live nav a[aria-current] { border-color: var(--accent); font-weight: bold }
.live h2 { display: none }
:focus-visible { outline: 2px solid var(--accent) }
@media (min-width: 900px) {
  .live body { display: grid; grid: auto 1fr auto / minmax(320px, 2fr) 5fr; height: 100vh }
  .live header, .live footer { grid-column: 1 / 3 }
  .live header { border-bottom: 1px solid var(--line) }
  .live #timeline { overflow: auto; border-right: 1px solid var(--line) }
  .live main { overflow: auto }
}
@media (max-width: 899px) { .live #timeline { max-height: 40vh; overflow: auto; border-bottom: 1px solid var(--line) } }
`
