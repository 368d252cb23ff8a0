import type { Logger } from '../core/options/options.ts'

interface InfrastructureLogger {
  info: (message: string) => void
  warn: (message: string) => void
  error: (message: string) => void
}

/** The logger of webpack and Rspack, which puts the name in front by itself. */
export function toLogger(compiler: {
  getInfrastructureLogger: (name: string) => InfrastructureLogger
}): Logger {
  const logger = compiler.getInfrastructureLogger('mock-api')
  const bare = (message: string) => message.replace(/^\[mock-api\] /, '')
  return {
    info: (message) => logger.info(bare(message)),
    warn: (message) => logger.warn(bare(message)),
    error: (message) => logger.error(bare(message)),
  }
}
