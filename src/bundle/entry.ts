/* The file that webpack and Rspack are told to bundle. Its content is replaced by a loader (module-loader.ts). */
export {}
