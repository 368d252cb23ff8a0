/** What the process reports: scripts and CI depend on these numbers. */
export const exitCodes = {
  /** Everything is fine. */
  fine: 0,
  /** The command has found something, or it has failed. */
  failed: 1,
  /** The command was called with wrong arguments or options. */
  usage: 2,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export const usageErrorName = 'UsageError'

/** Thrown by a command whose arguments contradict each other, or name something that does not exist. */
export class UsageError extends Error {
  override readonly name = usageErrorName
}
