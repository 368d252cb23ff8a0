declare const browser: import('playwright-core').Browser
