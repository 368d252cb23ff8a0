/*
 * Loaded into a dev server under callgrind: ends the process with its first answer. There, everything takes fifty times as long,
 * so timers that would otherwise not have ended before the answer must not end before it.
 */
import { Server } from 'node:http'

const longest = 200
const hour = 3_600_000

const { emit } = Server.prototype
Server.prototype.emit = function (name, ...parameters) {
  if (name === 'request') parameters[1].once('finish', () => process.reallyExit(0))
  return emit.call(this, name, ...parameters)
}
const { setTimeout } = globalThis
globalThis.setTimeout = (run, milliseconds, ...parameters) =>
  setTimeout(run, milliseconds < longest ? milliseconds : hour, ...parameters)
