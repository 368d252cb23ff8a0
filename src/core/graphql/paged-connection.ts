type Arguments = Readonly<Record<string, unknown>>

/** A connection in a fixture's data, whose page depends on the arguments of its field. */
export class PagedConnection {
  /** @param items all items of the list, whose types and entities are known without arguments */
  constructor(
    readonly items: readonly unknown[],
    readonly pageFor: (args: Arguments) => unknown,
  ) {}
}
