/** The part of negotiator for media types. The types of the package are about its class alone. */
declare module 'negotiator/lib/mediaType.js' {
  /**
   * @param accept the header; all types are accepted without one
   * @returns the types that are accepted, the preferred one first
   */
  export default function preferredMediaTypes(accept: string | undefined, types: readonly string[]): string[]
}
