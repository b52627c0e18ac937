import { readFileSync } from 'node:fs'
import { isObject } from '../../../../src/kernel/json-value.ts'
import type {
  Observation,
  ObservedSession,
} from '../../../../src/connections/observed/observation.ts'
import { readClaudeCode } from '../../../../src/connections/observed/transcripts/read-claude-code.ts'
import { readCodex } from '../../../../src/connections/observed/transcripts/read-codex.ts'
import { readOpenCode } from '../../../../src/connections/observed/transcripts/read-open-code.ts'
import { readPi } from '../../../../src/connections/observed/transcripts/read-pi.ts'

export type Line = Record<string, unknown>

export const CONVERSATIONS = ['load-and-count', 'two-turns'] as const

type Read = (lines: readonly Line[]) => readonly ObservedSession[]

export const CLIENTS: Readonly<Record<string, Read>> = {
  'claude-code': readClaudeCode,
  codex: readCodex,
  opencode: readOpenCode,
  pi: readPi,
}

export function samplePath(client: string, name: string): string {
  return `${import.meta.dirname}/${client}/${name}.jsonl`
}

export function sampleLines(client: string, name: string): readonly Line[] {
  const texts = readFileSync(samplePath(client, name), 'utf8').trim().split('\n')
  return texts.map((text) => JSON.parse(text) as unknown).filter(isObject)
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
