/** A value in a fixture's data that depends on the arguments of its field, such as the page of a connection. */
export class ByArguments {
  readonly #at: (args: Readonly<Record<string, unknown>>) => unknown

  /** @param items what the values consist of, so that their types and entities are known without arguments */
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
