export const style = `
:root {
  color-scheme: light dark;
  --ink: #1c2024; --soft: #60646c; --paper: #fcfcfd; --card: #ffffff; --rule: #e3e5e9;
  --line: #3358d4; --fill: #3358d433; --target: #b45309; --mark: #18794e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #edeef0; --soft: #a2a7b0; --paper: #111113; --card: #18191b; --rule: #2e3135;
    --line: #9eb1ff; --fill: #9eb1ff33; --target: #f5a524; --mark: #3dd68c;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.55 system-ui, sans-serif; }
main { max-width: 1040px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { font-size: 26px; margin: 0; letter-spacing: -0.02em; }
header p { margin: 4px 0 28px; color: var(--soft); }
section { background: var(--card); border: 1px solid var(--rule); border-radius: 10px; padding: 20px 24px; margin: 0 0 20px; }
h2 { font-size: 18px; margin: 0 0 8px; overflow-wrap: anywhere; }
h2 small { color: var(--soft); font-weight: 400; font-size: 14px; margin-left: 6px; }
.verdict { margin: 0 0 14px; max-width: 72ch; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 400; color: var(--soft); padding: 2px 20px 2px 0; }
td, thead th { text-align: right; padding: 2px 0 2px 20px; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(260px, 1fr)); gap: 16px; margin-top: 16px; }
figure { margin: 0; }
figcaption { color: var(--soft); font-size: 13px; text-align: center; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font: 10px system-ui, sans-serif; }
.grid { stroke: var(--rule); }
.ideal { stroke: var(--soft); stroke-dasharray: 3 4; }
.line { fill: none; stroke: var(--line); stroke-width: 1.8; stroke-linejoin: round; }
.point { fill: var(--fill); stroke: var(--line); }
.target { stroke: var(--target); stroke-dasharray: 5 4; }
svg .target-label { fill: var(--target); }
.mark { stroke: var(--mark); }
.mark-point { fill: var(--mark); }
.token { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--paper); border: 1px solid var(--rule); border-radius: 6px; padding: 12px; font: 12.5px/1.5 ui-monospace, monospace; user-select: all; }
.note { color: var(--soft); font-size: 13px; max-width: 90ch; }
code { font: 0.92em ui-monospace, monospace; }
`
