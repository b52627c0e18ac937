import type { Policy } from '../model/policy.ts'
import { describeRule } from './describe-rule.ts'

/** A policy in words: its mode, and the rules it has. Not yet sanitised. */
export function describePolicy({ mode, deny, ask, allow, allowedTools }: Policy): string {
  const rules = (does: string, list: Policy['deny']) =>
    list.length > 0 && `${does} ${list.map(describeRule).join(', ')}`
  const parts = [
    `${mode} mode`,
    rules('denies', deny),
    rules('asks first for', ask),
    rules('allows', allow),
    allowedTools !== 'ignore' && `allowed-tools ${allowedTools}`,
  ]
  return parts.filter((part) => part !== false).join('; ')
}
