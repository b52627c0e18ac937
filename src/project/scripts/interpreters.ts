import { basename, extname } from 'node:path'

/**
 * What runs a script, by its ending (`.py`) or by the program its first line names (`python3`): a command
 * and its first arguments. What is not here does not run, whatever a script says of itself.
 */
export type ScriptInterpreters = Readonly<Record<string, readonly [string, ...string[]]>>

/** The interpreters that are used unless the host says otherwise. */
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

/** Bytes of a first line that are looked at. */
const LONGEST_LINE = 256

/**
 * The command a script runs by, with the options its first line has for that very program; null when
 * the table has none.
 */
export function interpreterFor(
  path: string,
  bytes: Uint8Array,
  table: ScriptInterpreters,
): readonly [string, ...string[]] | null {
  const by = (key: string) => (Object.hasOwn(table, key) ? table[key] : undefined)
  const line = firstLine(bytes)
  const command = by(extname(path).toLowerCase()) ?? (line && by(line.program))
  if (!command) return null
  const named = line !== null && by(line.program)?.at(-1) === command.at(-1)
  return named ? [...command, ...line.options] : command
}

/** The program and the options of `#!/bin/bash -eu` and `#!/usr/bin/env -S node --no-warnings`. */
function firstLine(
  bytes: Uint8Array,
): { readonly program: string; readonly options: readonly string[] } | null {
  const head = new TextDecoder('utf-8').decode(bytes.subarray(0, LONGEST_LINE))
  if (!head.startsWith('#!')) return null
  const [line = ''] = head.slice(2).split(/[\r\n]/)
  const words = line.split(/[ \t]/).filter((word) => word !== '')
  if (basename(words[0] ?? '') === 'env') words.shift()
  if (words[0] === '-S') words.shift()
  const [program, ...options] = words
  return program === undefined ? null : { program: basename(program), options }
}
