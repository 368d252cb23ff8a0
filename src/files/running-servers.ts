import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import { asJson } from '../core/values/json-value.ts'
import { isRecord } from '../core/values/values.ts'
import { originOf } from '../wire/node/listening-origin.ts'

/** Ignored by git, as everything there. */
const place = '.cache/unplugin-mock-api/servers'

/** Files named by the id of the process, and by which of its servers it is. */
const nameOfFile = /^(\d+)-[\d-]+\.json$/

const left = new Set<string>()
let count = 0

/**
 * Leaves the address of a server, once it listens, where the command `mcp` finds it: beside the packages of the project.
 * Without packages, or in a folder that can't be written, the command tries the usual ports.
 *
 * @returns removes it
 */
export function leaveAddress(root: string, server: Server): () => void {
  let file: string | undefined
  const leave = () => {
    const [origin, folder] = [originOf(server), folderOf(root)]
    if (origin === undefined || folder === undefined) return
    try {
      mkdirSync(folder, { recursive: true })
      runningIn(folder)
      file = join(folder, `${process.pid}-${new URL(origin).port}-${++count}.json`)
      writeFileSync(file, JSON.stringify({ root, origin }))
      if (count === 1) process.once('exit', () => left.forEach(removeFile))
      left.add(file)
    } catch {
      // It is a help, and no reason to complain.
    }
  }
  const remove = () => {
    server.off('listening', leave).off('close', remove)
    if (file !== undefined) removeFile(file)
  }
  if (server.listening) leave()
  else server.once('listening', leave)
  server.once('close', remove)
  return remove
}

/** The addresses that servers of a folder, and of others with the same packages, have left. Something else may have the port now. */
export function leftAddresses(root: string): { root: string; origin: string }[] {
  const folder = folderOf(root)
  if (folder === undefined || !existsSync(folder)) return []
  return runningIn(folder).flatMap((file) => {
    const { root: own, origin } = read(file)
    return typeof own === 'string' && typeof origin === 'string' && isHere(origin)
      ? [{ root: own, origin }]
      : []
  })
}

/** The files of servers whose process runs: after Ctrl-C or `kill -9`, nothing else removes them. */
function runningIn(folder: string): string[] {
  const files = readdirSync(folder).filter((name) => nameOfFile.test(name))
  const ended = files.filter((name) => !isRunning(Number(nameOfFile.exec(name)![1])))
  for (const name of ended) removeFile(join(folder, name))
  return files.filter((name) => !ended.includes(name)).map((name) => join(folder, name))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** The folder is beside the nearest packages: those of a workspace may be in a folder above. */
function folderOf(root: string): string | undefined {
  const packages = join(root, 'node_modules')
  if (existsSync(packages)) return join(packages, place)
  return dirname(root) === root ? undefined : folderOf(dirname(root))
}

function read(file: string): Record<string, unknown> {
  try {
    const value = asJson(readFileSync(file, 'utf8'))?.value
    return isRecord(value) ? value : {}
  } catch {
    return {} // its server has just ended
  }
}

/** The files of a project of others must not send an agent to another machine. */
function isHere(origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const host = new URL(origin).hostname.replace(/^\[|\]$/g, '')
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return host === 'localhost' || own.some(({ address }) => address === host)
}

function removeFile(file: string): void {
  left.delete(file)
  try {
    rmSync(file, { force: true })
  } catch {
    // The folder can't be written any more.
  }
}
