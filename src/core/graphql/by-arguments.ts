/** A value in a fixture's data that depends on the arguments of its field, as the page of a connection does. */
export class ByArguments {
  readonly #at: (args: Readonly<Record<string, unknown>>) => unknown

  /** @param items what values are made of: their types, and the entities among them, are known without arguments */
  constructor(
    readonly items: readonly unknown[],
    at: (args: Readonly<Record<string, unknown>>) => unknown,
  ) {
    this.#at = at
  }

  at(args: Readonly<Record<string, unknown>>): unknown {
    return this.#at(args)
  }
}
