export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#f6f5f1, #14161a);
  --panel: light-dark(#fff, #1a1d22);
  --ink: light-dark(#1a1d21, #e9e7e1);
  --muted: light-dark(#5b5f68, #a4a9b3);
  --line: light-dark(#e2e0d9, #2d323a);
  --accent: light-dark(#0b6b61, #7adfcf);
  --crashed: light-dark(#a8231a, #ffa69c);
  --blank: light-dark(#8f2d56, #ff9cc4);
  --looping: light-dark(#7a3490, #dba8ee);
  --stuck: light-dark(#28559a, #9cc1ff);
  --silent: light-dark(#8a4b00, #f5bf6f);
  --unreached: var(--muted);
  --handled: var(--accent);
  font: 0.875rem/1.5 system-ui, sans-serif;
}
* { box-sizing: border-box; margin: 0; }
body { background: var(--paper); color: var(--ink); overflow-wrap: anywhere; padding: 1.5rem clamp(0.75rem, 3vw, 3rem) 4rem; }
h1 { font-size: 1.375rem; line-height: 1.25; }
h2 { font: 600 0.9375rem/1.4 ui-monospace, monospace; margin: 2.5rem 0 0.75rem; }
h3 { font-size: 0.9375rem; line-height: 1.35; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
header p, .kind, dt { color: var(--muted); }
fieldset { border: 0; display: flex; flex-wrap: wrap; gap: 0.5rem; margin-top: 1rem; padding: 0; }
legend { float: left; margin-right: 0.25rem; padding: 0.25rem 0; }
fieldset label { background: var(--panel); border: 1px solid var(--line); border-radius: 2rem; cursor: pointer; padding: 0.25rem 0.75rem; }
.sheet { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); list-style: none; padding: 0; }
.card { background: var(--panel); border: 1px solid var(--line); border-radius: 0.5rem; border-top: 3px solid var(--verdict); min-width: 0; padding: 0.75rem; }
.verdict { color: var(--verdict); font-weight: 650; }
.pair { display: grid; gap: 0.5rem; grid-template-columns: 1fr 1fr; margin: 0.625rem 0; }
.pair button { background: none; border: 1px solid var(--line); border-radius: 0.25rem; cursor: zoom-in; display: grid; align-items: start; height: 11rem; overflow: hidden; padding: 0; width: 100%; }
.pair img, .good { display: block; width: 100%; }
.good { background: var(--good) top / 100% auto no-repeat; height: 100%; }
.pair figcaption { color: var(--muted); font-size: 0.75rem; }
pre { background: var(--paper); border-radius: 0.25rem; font: 0.75rem/1.45 ui-monospace, monospace; margin: 0.25rem 0 0.625rem; max-height: 16rem; overflow: auto; padding: 0.5rem; white-space: pre-wrap; }
summary { cursor: pointer; margin-top: 0.375rem; }
details { margin-bottom: 0.5rem; }
dialog { background: var(--panel); border: 1px solid var(--line); border-radius: 0.5rem; color: var(--ink); inset: 0; margin: auto; max-height: 94vh; max-width: min(96vw, 80rem); overflow: auto; padding: 1rem; width: 100%; }
dialog::backdrop { background: rgb(0 0 0 / 0.6); }
dialog .pair button { cursor: zoom-out; height: auto; }
dialog .good { aspect-ratio: var(--ratio); height: auto; }
`
