import { readFileSync } from 'node:fs'
import { isObject } from '../../../../src/kernel/json-value.ts'
import type {
  Observation,
  ObservedSession,
} from '../../../../src/connections/observed/observation.ts'
import { readClaudeCode } from '../../../../src/connections/observed/transcripts/read-claude-code.ts'
import { readCodex } from '../../../../src/connections/observed/transcripts/read-codex.ts'
import { readGeminiCli } from '../../../../src/connections/observed/transcripts/read-gemini-cli.ts'
import { readOpenCode } from '../../../../src/connections/observed/transcripts/read-open-code.ts'
import { readPi } from '../../../../src/connections/observed/transcripts/read-pi.ts'
import { readQwenCode } from '../../../../src/connections/observed/transcripts/read-qwen-code.ts'

export type Line = Record<string, unknown>

export const CONVERSATIONS = ['load-and-count', 'two-turns'] as const

type Read = (lines: readonly Line[]) => readonly ObservedSession[]

export const CLIENTS: Readonly<Record<string, Read>> = {
  'claude-code': readClaudeCode,
  codex: readCodex,
  opencode: readOpenCode,
  pi: readPi,
  'gemini-cli': readGeminiCli,
  'qwen-code': readQwenCode,
}

export function samplePath(client: string, name: string): string {
  return `${import.meta.dirname}/${client}/${name}.jsonl`
}

export function sampleLines(client: string, name: string): readonly Line[] {
  const texts = readFileSync(samplePath(client, name), 'utf8').trim().split('\n')
  return texts.map((text) => JSON.parse(text) as unknown).filter(isObject)
}

/** The id of a call without the name of its tool, which Gemini CLI writes before it in its file. */
export function plainCall(call: string): string {
  return call.replace(/^(\w+)__(?=\1_)/, '')
}

/** The observations of one type, in their order. */
export function only<Type extends Observation['type']>(
  seen: readonly Observation[],
  type: Type,
): readonly Extract<Observation, { readonly type: Type }>[] {
  return seen.filter(
    (one): one is Extract<Observation, { readonly type: Type }> => one.type === type,
  )
}
