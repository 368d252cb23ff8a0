/** Loaded into a dev server: tells its parent when it listens, and how much CPU time it has used when asked or at its end. */
import { writeSync } from 'node:fs'
import { Server } from 'node:http'

const cpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const { listen } = Server.prototype
Server.prototype.listen = function (...parameters) {
  this.once('listening', () => process.send?.({ listening: this.address().port, cpu: cpu() }))
  return listen.apply(this, parameters)
}
process.on('message', (message) => message === 'report cpu' && process.send?.({ cpu: cpu() }))
process.channel?.unref()
process.on('exit', () => process.env.REPORT_CPU_AT_EXIT && writeSync(1, `\ncpu ${cpu()}\n`))
