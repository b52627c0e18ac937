import { basename, extname } from 'node:path'
import type { SandboxSession } from '../sandbox/sandbox-session.ts'

/**
 * The command and first arguments that run a script, by its extension (`.py`) or by the program in
 * its first line (`python3`). Other scripts do not run.
 */
type ScriptInterpreters = Readonly<Record<string, readonly [string, ...string[]]>>

/** The default interpreters. */
export const SCRIPT_INTERPRETERS: ScriptInterpreters = {
  '.py': ['python3'],
  '.sh': ['bash'],
  '.bash': ['bash'],
  '.js': [process.execPath],
  '.mjs': [process.execPath],
  '.cjs': [process.execPath],
  '.ts': [process.execPath],
  '.mts': [process.execPath],
  python3: ['python3'],
  python: ['python3'],
  bash: ['bash'],
  sh: ['sh'],
  node: [process.execPath],
}

/** Number of bytes of a first line that are read. */
const MAX_LINE_BYTES = 256

/** Returns the default interpreters of a sandbox. Only in a folder of the host, Node is that of this process. */
export function sandboxInterpreters(sandbox: SandboxSession): ScriptInterpreters {
  if ('startProgram' in sandbox) return SCRIPT_INTERPRETERS
  const isMemory = sandbox.isolation === 'memory'
  const others = new Map<string, readonly [string, ...string[]]>([
    [process.execPath, [isMemory ? 'js-exec' : 'node']],
    ['python3', isMemory ? MEMORY_PYTHON : ['python3']],
  ])
  return Object.fromEntries(
    Object.entries(SCRIPT_INTERPRETERS).map(([key, command]) => [
      key,
      others.get(command[0]) ?? command,
    ]),
  )
}

/** The Python of just-bash indents a file that it is given, and the lines of long texts in it. */
const MEMORY_PYTHON = [
  'python3',
  '-c',
  'import os,runpy,sys; sys.argv=sys.argv[1:]; sys.path.insert(0,os.path.dirname(sys.argv[0])); runpy.run_path(sys.argv[0],run_name="__main__")',
] as const

/**
 * Returns the command of a script, with the options that its first line has for that program, and a notice that says
 * which program is missing for it; null
 * when the table has none.
 *
 * A Python script that declares its dependencies (PEP 723) is run by `uv`, where the sandbox has it.
 */
export async function interpreterFor(
  path: string,
  bytes: Uint8Array,
  table: ScriptInterpreters,
  sandbox: SandboxSession,
): Promise<{ readonly command: readonly [string, ...string[]]; readonly notice?: string } | null> {
  const by = (key: string) => (Object.hasOwn(table, key) ? table[key] : undefined)
  const line = firstLine(bytes)
  const command = by(extname(path).toLowerCase()) ?? (line && by(line.program))
  if (!command) return line?.program === 'uv' && (await hasUv(sandbox)) ? { command: UV_RUN } : null
  const isPython = command.length === 1 && command[0] === 'python3'
  if (isPython && /^# \/\/\/ script\s*$/m.test(new TextDecoder('utf-8').decode(bytes))) {
    return (await hasUv(sandbox)) ? { command: UV_RUN } : { command, notice: NO_UV }
  }
  const named = line !== null && by(line.program)?.at(-1) === command.at(-1)
  return { command: named ? [...command, ...line.options] : command }
}

const UV_RUN = ['uv', 'run', '--script'] as const

const NO_UV =
  'The script declares the packages it needs (PEP 723), and there is no "uv" to install them.'

async function hasUv(sandbox: SandboxSession): Promise<boolean> {
  const { exitCode } = await sandbox.run({ command: 'command -v uv' })
  return exitCode === 0
}

/**
 * Parses the program and the options of `#!/bin/bash -eu` and `#!/usr/bin/env -S node
 * --no-warnings`.
 */
function firstLine(
  bytes: Uint8Array,
): { readonly program: string; readonly options: readonly string[] } | null {
  const head = new TextDecoder('utf-8').decode(bytes.subarray(0, MAX_LINE_BYTES))
  if (!head.startsWith('#!')) return null
  const [line = ''] = head.slice(2).split(/[\r\n]/)
  const words = line.split(/[ \t]/).filter((word) => word !== '')
  if (basename(words[0] ?? '') === 'env') words.shift()
  if (words[0] === '-S') words.shift()
  const [program, ...options] = words
  return program === undefined ? null : { program: basename(program), options }
}
