/* Bundled by webpack and Rspack; a loader (module-loader.ts) replaces the content. */
export {}
