/** Node's own, also while a test has replaced those of its process: an answer with a delay would never come. */
export const { clearTimeout, setImmediate, setTimeout } = globalThis
