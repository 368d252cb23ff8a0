import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { version } from '../../package.json'
import { runIn } from './test-terminal.ts'

it.each<[args: string[], exitCode: number, stdout: string | RegExp, stderr: string | RegExp]>([
  [['--version'], 0, `${version}\n`, ''],
  [['--help'], 0, /^Usage: unplugin-mock-api [^]*\n  check .*check the fixture files/, ''],
  [['help'], 0, /^Usage: unplugin-mock-api /, ''],
  [['help', 'check'], 0, /^Usage: unplugin-mock-api check /, ''],
  [['check', '--help'], 0, /^Usage: unplugin-mock-api check [^]*\n  --fixtures [^]*in another folder:\n  unplugin-mock-api check --fixtures mocks\n$/, ''],
  [['bundle', '--help'], 0, /in another folder:\n  unplugin-mock-api bundle --fixtures mocks\n$/, ''],
  [['import', '--help'], 0, /^Usage: unplugin-mock-api import [^]*\n  har [^]*\nThe commands say what a file is/, ''],
  [['import', 'help'], 0, /^Usage: unplugin-mock-api import [^]*\n  har /, ''],
  [['import', 'help', 'har'], 0, /^Usage: unplugin-mock-api import har [^]*\n  --url /, ''],
  [['import'], 2, '', /^error: Name a file or a folder, /],
  [['import', 'ha'], 2, '', /^error: There is no file .*ha\.\n/],
  [['import', 'har'], 2, '', /^error: missing required argument 'file'/],
  [[], 2, '', /^Usage: unplugin-mock-api /],
  [['chek'], 2, '', /^error: unknown command 'chek'\n\(Did you mean check\?\)/],
  [['check', '--fixture', 'a'], 2, '', /^error: unknown option '--fixture'\n\(Did you mean --fixtures\?\)/],
  [
    ['check', 'mocks', 'a.yaml'],
    2,
    '',
    /^error: check takes no arguments\. To name fixture files or their folder, write: unplugin-mock-api check --fixtures mocks a\.yaml\n/,
  ],
  [['bundle', 'mocks'], 2, '', /^error: bundle takes no arguments\. .*: unplugin-mock-api bundle --fixtures mocks\n/],
  [['init', 'app'], 2, '', /^error: init takes no arguments\. .*: unplugin-mock-api init --root app\n/],
  [['bundle', '--root', 'none'], 2, '', /^error: There is no folder .*none\.\n$/],
  [['check', '--root', 'none'], 2, '', /^error: There is no folder .*none\.\n$/],
  [['check', '--root'], 2, '', /^error: option '--root <folder>' argument missing/],
])('%j ends with %i', async (args, exitCode, stdout, stderr) => {
  const ran = await runIn(tmpdir(), args)
  expect(ran.exitCode).toBe(exitCode)
  for (const [actual, expected] of [
    [ran.stdout, stdout],
    [ran.stderr, stderr],
  ] as const)
    if (typeof expected === 'string') expect(actual).toBe(expected)
    else expect(actual).toMatch(expected)
}) // prettier-ignore
